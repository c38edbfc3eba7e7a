import Glibc
import HTTPTestSupport
import MarketAPI
import MarketModel
import MarketServer
import MarketStore
import SQLiteKit
import StoreCore
import Synchronization
import TestSupport

/// A market in a file of its own, and what answers for it.
struct ServedStore: ~Copyable {
  let folder: TemporaryFolder
  let store: SQLiteStore
  let responder: MarketResponder
  /// What the server takes for the time.
  let clock: TestClock

  init(
    variant: ProductsDialect.Variant = .y2023, publicURL: String? = nil,
    registrationsPerMinute: Int? = nil, storeBytes: Int64? = nil,
    hashingOn lanes: PasswordHasher.Lanes = .one, picturesOutside isOutside: Bool = false,
    redirectingTo bucket: (address: BucketAddress, keys: BucketKeys)? = nil,
    limiting limit: (inout AdmissionLimits) -> Void = { _ in },
    registry: MetricsRegistry = MetricsRegistry()
  ) async throws {
    var admission = AdmissionLimits()
    admission.registrationsPerMinute = registrationsPerMinute
    admission.storeBytes = storeBytes
    limit(&admission)
    let folder = try TemporaryFolder()
    let clock = TestClock()
    var outside: ExternalPictures?
    if isOutside {
      mkdir(folder.path(of: "pictures"), 0o700)
      outside = ExternalPictures(
        FolderStorage(at: folder.path(of: "pictures")),
        signer: bucket.map { BucketSigner(of: $0.address, with: $0.keys) })
    }
    store = try await Self.open(in: folder, clock, lanes, outside)
    let otherwise = HostAndPort(host: "market.example", port: 80)
    var options = MarketResponder.Options(
      dialects: DialectList.market.served(as: variant.rawValue),
      publicAddress: publicURL.map { .fixed($0) } ?? .asAsked(otherwise: otherwise),
      admission: admission, now: { clock.seconds })
    options.registry = registry
    options.storage = bucket?.address.endpoint.origin
    responder = MarketResponder(store, options)
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

  /// Breaks the chains of the file's pages that hold nothing but one byte.
  func damage(pagesOf byte: UInt8) throws {
    let path = folder.path(of: "market.sqlite")
    try SQLiteConnection(opening: path, .init()).execute("PRAGMA wal_checkpoint(TRUNCATE)")
    var content = try FileContent(of: path)
    for page in stride(from: 0, to: content.bytes.count, by: 4_096) {
      let rest = content.bytes[(page + 4)..<(page + 4_096)]
      guard rest.allSatisfy({ $0 == byte }) else { continue }
      // A page of a long value begins with the number of the next one.
      content.bytes.replaceSubrange(page..<(page + 4), with: [0x7F, 0xFF, 0xFF, 0xFF])
    }
    try content.write(to: path)
  }

  private static func open(
    in folder: borrowing TemporaryFolder, _ clock: TestClock,
    _ lanes: PasswordHasher.Lanes = .one, _ outside: ExternalPictures? = nil
  ) async throws -> SQLiteStore {
    var options = SQLiteStore.Options(
      createsFile: true, passwordCost: .least,
      passwordLanes: lanes, now: { clock.seconds })
    options.outside = outside
    return try await SQLiteStore.open(
      at: folder.path(of: "market.sqlite"), pictureProcessor: PassThroughPictureProcessor(),
      options: options)
  }

  /// Sends a request as the server would hand it over.
  func send(
    _ method: HTTPMethod, _ target: String, headers: HTTPHeaders = [:], body: String = "",
    from address: String = "192.0.2.1"
  ) async -> HTTPResponse {
    let request = ServerRequest(
      method, target, headers: headers, body: Array(body.utf8), from: RemoteClient(address: address)
    )
    if let known = responder.immediateResponse(to: request) { return known.message }
    return await responder.response(to: request).message
  }

  static func send(_ target: String, to responder: MarketResponder) async -> HTTPResponse {
    let request = ServerRequest(
      .get, target, from: RemoteClient(address: "192.0.2.1"))
    return await responder.response(to: request).message
  }

  /// Sends a request as a client of old spells it; `@` is a picture.
  func send(
    spelled message: String, picture: [UInt8] = PictureFile.jpeg()
  ) async -> HTTPResponse {
    let sent = ReceivedRequest(spelled: message, picture: picture)
    var headers = HTTPHeaders()
    for (name, value) in sent.headers { headers.add(value, for: name) }
    let request = ServerRequest(
      HTTPMethod(rawValue: sent.method), sent.target, headers: headers, body: sent.body,
      from: RemoteClient(address: "192.0.2.1"))
    return await responder.response(to: request).message
  }

  /// Sends an operation as our client writes it.
  func send(
    _ operation: MarketOperation, in dialect: any MarketDialect, from address: String = "192.0.2.1"
  ) async throws -> HTTPResponse {
    let message = try dialect.request(for: operation)
    let request = ServerRequest(
      message.method, message.target.text, headers: message.headers, body: message.body,
      from: RemoteClient(address: address))
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

  /// What went wrong, in the word for programs; v1 has one status for several.
  var problem: String? {
    get throws { try json["problem"]?.string }
  }

  /// The body as JSON.
  var json: JSONValue {
    get throws { try JSONDocument(parsing: body).root }
  }
}
