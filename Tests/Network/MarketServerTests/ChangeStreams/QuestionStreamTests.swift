import MarketAPI
import MarketModel
import MarketServer
import MarketStore
import StoreCore
import TestSupport
import Testing

/// What clients are told of questions.
struct QuestionStreamTests {
  private let seller = Author.seller(SellerIdentifier(secret: "seller"))

  /// What a server tells of a question and an edit: by a stream, or by a poll behind them.
  private func told(isStream: Bool) async throws -> String {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(password: "secret"), by: seller).id
    let server = try HTTPServer(
      on: ListeningSocket(on: HostAndPort(host: "127.0.0.1", port: 0)),
      answering: ChangesResponder(ChangeBroadcaster(market.store), before: EchoResponder()))
    let connection = try RawConnection(to: server.address.port, from: 1)
    func send(_ query: String, _ header: String) {
      connection.send("GET /api/changes?\(query) HTTP/1.1\r\nHost: a\r\n\(header)\r\n")
    }
    let text: String
    if isStream {
      send("", "Accept: text/event-stream\r\n")
      let hello = await connection.text(upTo: "data: {}\n\n\r\n")
      try await askAndEdit(market.store, id)
      text = hello + (await connection.text(upTo: "\"changed\""))
    } else {
      let start = try await market.store.changes(after: nil, atMost: 1).cursor
      try await askAndEdit(market.store, id)
      send("after=\(start.rawValue)&wait=20", "")
      text = await connection.text(upTo: "\"place\":\"") + (await connection.text(upTo: "}"))
    }
    await server.stop(after: 1)
    return text
  }

  private func askAndEdit(_ store: any ProductRepository, _ id: Product.ID) async throws {
    _ = try await store.ask(
      NewQuestion(text: "Mine?"), about: id, by: SellerIdentifier(secret: "asker"),
      key: IdempotencyKey(rawValue: "key"))
    _ = try await store.update(
      id, with: ProductPatch(stock: 3), password: Password("secret"), by: seller, expecting: nil)
  }

  @Test(arguments: [true, false])
  func `who follows the changes is told of questions and products`(isStream: Bool) async throws {
    let text = try await told(isStream: isStream)

    #expect(text.contains("\"kind\":\"asked\"") && text.contains("\"kind\":\"changed\""))
  }
}
