import Expectations
import MarketAPI
import MarketClient
import MarketModel
import MarketServer
import MarketStore
import StoreCore
import TestSupport
import Testing

/// Reports over HTTP as their clients write and read them.
struct ReportServingTests {
  private func report(
    _ body: String, at market: borrowing ServedStore, by identifier: String? = nil,
    from address: String = "192.0.2.1"
  ) async -> HTTPResponse {
    await market.send(
      .post, "/api/reports",
      headers: identifier.map { [HeaderName.identifier: $0] } ?? [:], body: body, from: address)
  }

  @Test func `a report is taken once, and nobody but the operators is told`() async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample()).id
    let before = await market.send(.get, "/api/products/\(id.rawValue)").text

    let first = await report(#"{"product":\#(id.rawValue),"reason":"fraud"}"#, at: market)
    let again = await report(
      #"{"product":\#(id.rawValue),"reason":"other","text":"x"}"#, at: market)
    let signed = await report(
      #"{"product":\#(id.rawValue),"reason":"wrong-category"}"#, at: market, by: "mine")

    #expect(first.status == .created && first.text == "{}")
    #expect(again.status == .conflict && again.text.contains(#""refusal":"already_reported""#))
    expect(signed.status, .created)
    expect(await market.send(.get, "/api/products/\(id.rawValue)").text, before)
    try await expect(
      market.store.reports(below: nil, atMost: 9).map(\.reason), [.wrongCategory, .fraud])
  }

  @Test(arguments: [
    (#"{"reason":"fraud"}"#, "product"),
    (#"{"product":1,"question":1,"reason":"fraud"}"#, "product"),
    (#"{"product":1.5,"reason":"fraud"}"#, "product"), (#"{"product":1}"#, "reason"),
    (#"{"product":1,"reason":"Fraud"}"#, "reason"), (#"{"product":1,"reason":7}"#, "reason"),
    (#"{"product":1,"reason":"fraud","text":true}"#, "text"),
    (#"{"product":1,"reason":"fraud","text":"\#(String(repeating: "a", count: 201))"}"#, "text"),
  ])
  func `what is wrong is named by its field`(body: String, field: String) async throws {
    let market = try await ServedStore()
    _ = try await market.store.register(.sample())

    let answer = await report(body, at: market)

    expect(answer.status, .badRequest)
    #expect(answer.text.contains(#""fields":[{"field":"\#(field)""#), "\(answer.text)")
    try await expect(market.store.openReportCount(), 0)
  }

  @Test func `what is not there, another method and a broken identifier are refused`() async throws
  {
    let market = try await ServedStore()

    let missing = await report(#"{"question":9,"reason":"fraud"}"#, at: market)
    let read = await market.send(.get, "/api/reports")
    let broken = await report(#"{"product":1,"reason":"fraud"}"#, at: market, by: "a b")

    expect(
      [missing.status, read.status, broken.status], [.notFound, .methodNotAllowed, .badRequest])
  }

  @Test func `a network reports five times an hour`() async throws {
    let market = try await ServedStore()
    func answer(from address: String) async -> HTTPResponse {
      await report(#"{"product":1,"reason":"fraud"}"#, at: market, from: address)
    }

    for _ in 0..<5 { expect(await answer(from: "192.0.2.1").status, .notFound) }
    let refused = await answer(from: "192.0.2.1")

    #expect(refused.status == .tooManyRequests && refused.headers[HeaderName.retryAfter] != nil)
    expect(await answer(from: "192.0.2.2").status, .notFound)
  }

  @Test func `a server without reports has neither the word nor the path`() async throws {
    let market = try await ServedStore()
    var options = MarketResponder.Options(
      publicAddress: .fixed("https://market.example"), now: { 0 })
    options.capabilities.remove(.reports)
    let without = MarketResponder(market.store, options)
    let request = ServerRequest(
      .post, "/api/reports", body: Array(#"{"product":1,"reason":"fraud"}"#.utf8),
      from: RemoteClient(address: "192.0.2.1"))

    let answer = await without.response(to: request).message

    expect(answer.status, .notFound)
    #expect(answer.headers[HeaderName.capabilities]?.contains("reports") == false)
    let with = await market.send(.get, "/api/products").headers[HeaderName.capabilities]
    #expect(with?.contains("reports") == true)
  }
}
