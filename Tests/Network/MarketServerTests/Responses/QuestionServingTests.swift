import Expectations
import MarketAPI
import MarketModel
import MarketStore
import StoreCore
import TestSupport
import Testing

/// Questions over HTTP as their clients write and read them.
struct QuestionServingTests {
  private static let asker: HTTPHeaders = [HeaderName.identifier: "asker"]

  @Test func `what is wrong with a question is named as its client calls it`() async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample()).id.rawValue
    func refusal(_ body: String) async -> String {
      let answer = await market.send(
        .post, "/api/products/\(id)/questions", headers: Self.asker, body: body)
      expect(answer.status, .badRequest)
      return answer.text
    }

    let both = await refusal(#"{"text":" ","offer":"-5"}"#)
    let unreadable = await refusal(#"{"text":"x","offer":"much"}"#)
    let above = await refusal(#"{"text":"x","offer":"1000000000"}"#)

    #expect(
      both.contains(#""message":"text: is missing; offer: must be above 0","problem":"invalid""#))
    #expect(
      both.contains(
        #""fields":[{"field":"text","problem":"missing"},{"field":"offer","problem":"negative"}]"#))
    #expect(unreadable.contains(#""fields":[{"field":"offer","problem":"unreadable"}]"#))
    #expect(above.contains(#""fields":[{"field":"offer","problem":"above_price","limit":"#))
    #expect(above.contains(#""message":"offer: is above the price""#))
  }

  @Test(arguments: [#""true""#, "1", "[]"])
  func `a wish to reserve that is no flag is refused, and nothing is answered`(
    _ wish: String
  ) async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample()).id
    let question = try await market.store.ask(
      NewQuestion(text: "Is it there?"), about: id, by: SellerIdentifier(secret: "asker"),
      key: IdempotencyKey(rawValue: "key"))

    let answer = await market.send(
      .put, "/api/questions/\(question.id.rawValue)/answer",
      body: #"{"text":"Yes.","secret":"secret","reserve":\#(wish)}"#)

    #expect(answer.status == .badRequest && answer.text.contains("reserve: must be true or false"))
    try await expect(market.store.detail(of: id).unansweredCount, 1)
  }

  @Test(arguments: ["ask", "answer"])
  func `a blocked seller neither asks nor answers`(operation: String) async throws {
    let market = try await ServedStore()
    let (seller, asker) = (SellerIdentifier(secret: "seller"), SellerIdentifier(secret: "asker"))
    let product = try await market.store.register(
      .sample(), by: .seller(seller), key: IdempotencyKey(rawValue: "key"))
    let question = try await market.store.ask(
      NewQuestion(text: "Is it there?"), about: product.id, by: asker,
      key: IdempotencyKey(rawValue: "key"))
    let blocked = try await market.store.seller(of: operation == "ask" ? asker : seller)
    _ = try await market.store.setBlocked(true, try #require(blocked).id)
    let target =
      operation == "ask"
      ? "/api/products/\(product.id.rawValue)/questions"
      : "/api/questions/\(question.id.rawValue)/answer"

    let answer = await market.send(
      operation == "ask" ? .post : .put, target,
      headers: [HeaderName.identifier: operation == "ask" ? "asker" : "seller"],
      body: #"{"text":"And now?"}"#)

    #expect(answer.status == .forbidden && answer.text.contains("seller_blocked"))
  }
}
