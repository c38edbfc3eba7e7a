import MarketAPI
import MarketModel
import MarketServer
import MarketStore
import Synchronization
import TestSupport

/// A market in a file of its own, and what answers for it.
struct ServedStore: ~Copyable {
  let folder: TemporaryFolder
  let store: SQLiteStore
  let responder: MarketResponder
  /// What the server takes for the time.
  let clock: TestClock

  init(variant: ProductsDialect.Variant = .y2023, publicURL: String? = nil) async throws {
    let folder = try TemporaryFolder()
    let clock = TestClock()
    store = try await Self.open(in: folder, clock)
    let otherwise = HostAndPort(host: "market.example", port: 80)
    responder = MarketResponder(
      store,
      MarketResponder.Options(
        variant: variant,
        publicAddress: publicURL.map { .fixed($0) } ?? .asAsked(otherwise: otherwise),
        now: { clock.seconds }))
    self.folder = folder
    self.clock = clock
  }

  /// Another server of the same file.
  func anotherServer() async throws -> MarketResponder {
    let clock = clock
    return MarketResponder(
      try await Self.open(in: folder, clock),
      MarketResponder.Options(
        publicAddress: .fixed("https://market.example"), now: { clock.seconds }))
  }

  private static func open(
    in folder: borrowing TemporaryFolder, _ clock: TestClock
  ) async throws -> SQLiteStore {
    try await SQLiteStore.open(
      at: folder.path(of: "market.sqlite"), pictureProcessor: PassThroughPictureProcessor(),
      options: SQLiteStore.Options(
        createsFile: true, fold: { $0.lowercased() }, passwordCost: .least,
        now: { clock.seconds }))
  }

  /// Sends a request as the server would hand it over.
  func send(
    _ method: HTTPMethod, _ target: String, headers: HTTPHeaders = [:], body: String = "",
    from address: String = "192.0.2.1"
  ) async -> HTTPResponse {
    let request = ServerRequest(
      method, target, headers: headers, body: Array(body.utf8), from: Visitor(address: address))
    if let known = responder.knownResponse(to: request) { return known.message }
    return await responder.response(to: request).message
  }

  /// Sends an operation as our client writes it.
  func send(
    _ operation: MarketOperation, in dialect: any MarketDialect, from address: String = "192.0.2.1"
  ) async throws -> HTTPResponse {
    let message = try dialect.request(for: operation)
    let request = ServerRequest(
      message.method, message.target.text, headers: message.headers, body: message.body,
      from: Visitor(address: address))
    return await responder.response(to: request).message
  }
}

/// A clock that goes when a test says so.
final class TestClock: Sendable {
  private let time = Mutex<Int64>(1_750_000_000)

  var seconds: Int64 { time.withLock { $0 } }

  func advance(by seconds: Int64) { time.withLock { $0 += seconds } }
}

extension HTTPResponse {
  var text: String { String(decoding: body, as: UTF8.self) }

  /// The body as JSON.
  var json: JSONValue {
    get throws { try JSONDocument(parsing: body).root }
  }
}
