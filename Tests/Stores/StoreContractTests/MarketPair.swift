import MarketAPI
import MarketModel
import MarketServer
import StoreCore
import Testing

/// Two servers, one on SQLite and one on PostgreSQL, that are asked the same.
struct MarketPair: ~Copyable {
  static let base = "https://market.example"

  let products = ProductsDialect(variant: .y2023)
  let items = ItemsDialect()
  private let responders: [MarketResponder]
  private let file: ContractMarket
  private let database: ContractMarket

  init() async throws {
    let now: @Sendable () -> Int64 = { 1_750_000_000 }
    let file = try await ContractMarket(.sqlite, MarketOptions(now: now))
    let database = try await ContractMarket(.postgres, MarketOptions(now: now))
    responders = [file.store, database.store].map { market in
      MarketResponder(
        market, MarketResponder.Options(publicAddress: .fixed(Self.base), now: now))
    }
    self.file = file
    self.database = database
  }

  /// Asks both for a page, and expects one answer.
  @discardableResult
  func get(_ target: String, sourceLocation: SourceLocation = #_sourceLocation) async
    -> HTTPResponse
  {
    await both(
      ServerRequest(.get, target, from: RemoteClient(address: "192.0.2.1")), sourceLocation)
  }

  /// Sends both an operation as our client writes it, and expects one answer.
  @discardableResult
  func send(
    _ operation: MarketOperation, in dialect: any MarketDialect,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> HTTPResponse {
    await both(try request(operation, in: dialect), sourceLocation)
  }

  /// Deletes in two steps; each server signs keys of its own for the second.
  func deleteBySteps(
    _ id: Product.ID, by author: Author, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    var answers: [HTTPResponse] = []
    for responder in responders {
      let step = MarketOperation.requestDeletion(id, Password("secret"), author)
      let message = await answer(of: responder, to: try request(step, in: products))
      let target = try products.deletionTarget(from: message, for: step)
      let second = MarketOperation.confirmDeletion(
        token: try #require(target.segments.last), of: nil, author)
      answers.append(await answer(of: responder, to: try request(second, in: products)))
    }
    #expect(answers[0].status == .ok, sourceLocation: sourceLocation)
    #expect(answers[0] == answers[1], sourceLocation: sourceLocation)
  }

  private func request(
    _ operation: MarketOperation, in dialect: any MarketDialect
  ) throws -> ServerRequest {
    let message = try dialect.request(for: operation)
    return ServerRequest(
      message.method, message.target.text, headers: message.headers, body: message.body,
      from: RemoteClient(address: "192.0.2.1"))
  }

  /// An answer without the position of a change, which a file has none of.
  private func answer(of responder: MarketResponder, to request: ServerRequest) async
    -> HTTPResponse
  {
    var answer = await responder.response(to: request).message
    answer.headers[HeaderName.marketPosition] = nil
    return answer
  }

  private func both(
    _ request: ServerRequest, _ sourceLocation: SourceLocation
  ) async -> HTTPResponse {
    let file = await answer(of: responders[0], to: request)
    let database = await answer(of: responders[1], to: request)
    #expect(
      database == file, "\(request.message.target.text): \(database.text)",
      sourceLocation: sourceLocation)
    return file
  }
}

extension HTTPResponse {
  var text: String { String(decoding: body, as: UTF8.self) }

  /// The body as JSON.
  var json: JSONValue {
    get throws { try JSONDocument(parsing: body).root }
  }
}
