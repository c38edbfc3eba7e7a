import Expectations
import MarketAPI
import MarketModel
import MarketServer
import MarketStore
import StoreCore
import TestSupport
import Testing

/// Questions sent by an attacker: each request gets one sentence with its status, which reveals nothing
/// about others, and the market continues.
final class HostileQuestionTests: Sendable {
  private let market: ServedStore
  private let product: Product.ID

  init() async throws {
    market = try await ServedStore(limiting: { $0.questionsPerHour = nil })
    product = try await market.store.register(
      .sample(price: 240_000, password: "sesame"), by: Self.seller
    ).id
  }

  private static let seller = Author.seller(SellerIdentifier(secret: "the-seller"))

  private func send(
    _ method: HTTPMethod, _ target: String, by identifier: String? = "somebody",
    key: String? = nil, _ body: String = ""
  ) async -> HTTPResponse {
    var headers: HTTPHeaders = ["Content-Type": "application/json"]
    if let identifier { headers.add(identifier, for: HeaderName.identifier) }
    if let key { headers.add(key, for: HeaderName.idempotencyKey) }
    let answer = await market.send(method, target, headers: headers, body: body)
    for secret in ["the-seller", "somebody", "sesame", "argon2", "SELECT"] {
      #expect(!answer.text.contains(secret), "\(answer.text)")
    }
    return answer
  }

  private func ask(
    _ body: String, by identifier: String? = "somebody", key: String? = nil
  ) async -> HTTPResponse {
    await send(
      .post, "/api/products/\(product.rawValue)/questions", by: identifier, key: key, body)
  }

  @Test(arguments: [
    "0", "-1", "2", "9223372036854775807", "9223372036854775808", "18446744073709551616", "abc",
    "1.0", "+1", "0x1", "1e0", "1%00", "%201", "%D9%A1", "1;x", "..",
    String(repeating: "9", count: 300),
  ])
  func `a forged number is the number of nothing`(id: String) async {
    _ = await ask(#"{"text":"Is it there?"}"#)
    let answer = #"{"text":"x","secret":"x"}"#
    let all = [
      await send(.put, "/api/questions/\(id)/answer", answer),
      await send(.delete, "/api/questions/\(id)"),
      await send(.post, "/api/questions/\(id)/deletion", by: nil, #"{"secret":"x"}"#),
    ]

    #expect(all.allSatisfy { $0.status == .notFound })
  }

  @Test func `a question is answered and deleted by those alone who may`() async throws {
    await expect(ask(#"{"text":"Is it there?"}"#).status, .created)

    for method in ["GET", "HEAD", "OPTIONS", "PATCH", "TRACE"] {
      await expect(send(HTTPMethod(rawValue: method), "/api/questions/1").status, .methodNotAllowed)
    }
    for identifier in ["another", "somebody"] {
      let answer = await send(.put, "/api/questions/1/answer", by: identifier, #"{"text":"x"}"#)
      expect(answer.status, .forbidden)
    }
    await expect(send(.delete, "/api/questions/1", by: "another").status, .forbidden)
    await expect(send(.delete, "/api/questions/1", by: nil).status, .badRequest)
    let list = try await market.store.questions(QuestionsRequest(.product(product)))
    expect(list.questions.map(\.answer), [nil])
  }

  @Test(arguments: [nil, "another", "the-seller", "somebody", "", "한글"])
  func `a right password answers and deletes beside any identifier`(
    _ identifier: String?
  ) async throws {
    _ = await ask(#"{"text":"Is it there?"}"#)
    let right = #"{"text":"x","secret":"sesame","reserve":true}"#

    await expect(send(.put, "/api/questions/1/answer", by: identifier, right).status, .ok)
    await expect(
      send(.post, "/api/questions/1/deletion", by: identifier, right).status, .noContent)
  }

  @Test func `a wrong password takes nothing from a right identifier, and counts`() async throws {
    for number in 1...3 { _ = await ask(#"{"text":"Question \#(number)"}"#) }
    let wrong = #"{"text":"x","secret":"wrong"}"#
    func answer(_ body: String) async -> HTTPResponse {
      await market.send(
        .put, "/api/questions/1/answer", headers: [HeaderName.identifier: "the-seller"], body: body)
    }

    for _ in 1...5 { await expect(answer(wrong).status, .ok) }
    // It reserves nothing, neither before nor after the password is looked at no more.
    let reserving = #"{"text":"x","secret":"sesame","reserve":true}"#
    await expect(answer(reserving).status, .tooManyRequests)
    await expect(answer(wrong).status, .ok)
    // The asker of an unanswered question is a right identifier too.
    await expect(send(.post, "/api/questions/2/deletion", wrong).status, .noContent)
    await expect(
      send(.post, "/api/questions/3/deletion", by: "another", wrong).status, .forbidden)
    #expect(try await !market.store.detail(of: product).product.isReserved)
  }

  @Test func `identifiers that are made up try no more passwords than none`() async throws {
    _ = await ask(#"{"text":"Is it there?"}"#)
    for number in 1...5 {
      let answer = await send(
        .put, "/api/questions/1/answer", by: "made-up-\(number)", #"{"text":"x","secret":"wrong"}"#)
      expect(answer.status, .forbidden)
    }

    let right = #"{"text":"x","secret":"sesame"}"#
    for identifier in [nil, "made-up-6"] {
      let answer = await send(.put, "/api/questions/1/answer", by: identifier, right)
      expect(answer.status, .tooManyRequests)
    }
  }

  @Test func `wrong passwords on any question of a product are one count`() async throws {
    for number in 1...7 {
      await expect(ask(#"{"text":"Question \#(number)"}"#).status, .created)
    }
    for number in 1...5 {
      let body = #"{"text":"x","secret":"wrong \#(number)"}"#
      let answer =
        number.isMultiple(of: 2)
        ? await send(.put, "/api/questions/\(number)/answer", by: nil, body)
        : await send(.post, "/api/questions/\(number)/deletion", by: nil, body)
      expect(answer.status, .forbidden)
    }

    let right = #"{"text":"x","secret":"sesame"}"#
    let locked = await send(.put, "/api/questions/6/answer", by: nil, right)
    #expect(locked.status == .tooManyRequests && locked.headers[HeaderName.retryAfter] != nil)
    await expect(send(.post, "/api/questions/7/deletion", by: nil, right).status, .tooManyRequests)
    let answered = await market.send(
      .put, "/api/questions/6/answer", headers: [HeaderName.identifier: "the-seller"],
      body: #"{"text":"Yes"}"#)
    #expect(answered.status.isSuccess)
  }

  @Test(arguments: [
    "0", "-1", "-0", "1e9", "1e400", "NaN", "Infinity", "11111111111111111111", "240001", "0.001",
    "239999.555", "9223372036854775807", "true", "[]", "{}", "\"\u{FF15}\"", "\"240,000\"",
    "\"0x10\"",
  ])
  func `an offer out of range is refused by name`(offer: String) async throws {
    let answer = await ask(#"{"text":"How about it?","offer":\#(offer)}"#)

    expect(answer.status, .badRequest)
    let message = try #require(answer.json["message"]?.string)
    #expect(message.hasPrefix("offer: ") || message == "body: not valid JSON")
    #expect(!message.contains("negative"))
  }

  @Test(arguments: [
    (#""""#, 400), (#""  \u00a0\u3000""#, 400), ("null", 400), ("[]", 400), ("{}", 400),
    ("\"" + String(repeating: "a", count: 500) + "\"", 201),
    ("\"" + String(repeating: "a", count: 501) + "\"", 400),
    (
      "\"" + String(repeating: "e\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}\u{307}", count: 500)
        + "\"", 201
    ),
    ("\"e" + String(repeating: "\u{301}", count: 4_001) + "\"", 400),
    ("\"" + String(repeating: "a", count: 1_000_000) + "\"", 400),
    (#""a\u202e\u2066\n\tb""#, 201), (#""a\u0000\u001b[2J\u009b31m""#, 400),
    (#""\u3164\u2800\u200b\ufeff\u0301""#, 400), (#""a","text":"b""#, 400),
    (#""a","te\u0078t":"b""#, 400), (#""a","more":[{"x":1,"x":2}]"#, 400),
    (#""</b><script>alert(1)</script>]]>""#, 201),
    (#""\ud800""#, 201), (String(repeating: "[", count: 100_000), 400),
  ])
  func `a text of any kind is taken as it is or refused in one sentence`(
    text: String, status: Int
  ) async throws {
    let answer = await ask(#"{"text":\#(text)}"#)

    expect(answer.status.rawValue, status, "\(answer.text.prefix(300))")
    let page = await market.send(
      .get, "/api/products/\(product.rawValue)/questions", headers: [:])
    try expect(page.json["questions"].map { Array($0.elements).count }, status == 201 ? 1 : 0)
  }

  @Test(arguments: [
    "limit=0", "limit=-1", "limit=abc", "limit=1.5", "after=x", "after=-1", "after=1,2",
    "after=%00", "after=%FF", "after=9223372036854775808", "after=%27%20OR%201=1--",
  ])
  func `a place or a size that is none is refused by name`(query: String) async throws {
    for list in ["/api/products/\(product.rawValue)/questions?", "/api/questions?mine=1&"] {
      await expect(send(.get, list + query).status, .badRequest)
    }
    await expect(send(.get, "/api/questions?mine=1&limit=1000000000").status, .ok)
  }

  @Test func `a hundred products are looked at in a list, each once`() async throws {
    _ = await ask(#"{"text":"Is it there?"}"#)
    func list(_ products: [Int64]) async -> HTTPResponse {
      let words = products.map(String.init).joined(separator: ",")
      return await send(.get, "/api/questions?unanswered=1&product=" + words, by: nil)
    }

    await expect(list(Array(1...101)).status, .badRequest)
    let id = product.rawValue
    try await expect(list([id, id, id]).json["questions"].map { Array($0.elements).count }, 1)
    try await expect(list(Array(1...100)).json["questions"].map { Array($0.elements).count }, 1)
  }

  @Test func `a key is for one question of one asker`() async throws {
    await expect(ask(#"{"text":"One"}"#, key: "key").status, .created)

    try await expect(ask(#"{"text":"One"}"#, key: "key").json["id"]?.number?.integer, 1)
    let other = await ask(#"{"text":"Two"}"#, key: "key")
    #expect(other.status == .unprocessableContent && !other.text.contains("product"))
    await expect(ask(#"{"text":"Two"}"#, by: "another", key: "key").status, .created)
  }

  @Test(arguments: [nil, "", String(repeating: "x", count: 10_240), "한글"])
  func `an identifier that is none asks nothing`(identifier: String?) async {
    await expect(ask(#"{"text":"Is it there?"}"#, by: identifier).status, .badRequest)
  }

  @Test func `answers with a reservation and deletions at once leave one of them`() async throws {
    for number in 1...4 {
      _ = await ask(#"{"text":"Question \#(number)"}"#)
      async let deleted = send(.delete, "/api/questions/\(number)").status
      let body = #"{"text":"Yes","reserve":true,"secret":"sesame"}"#
      async let answered = market.send(
        .put, "/api/questions/\(number)/answer", headers: [HeaderName.identifier: "the-seller"],
        body: body
      ).status
      let both = await (deleted, answered)

      let isOneAlone =
        both == (.noContent, .notFound) || both == (.conflict, .ok)
      #expect(isOneAlone, "\(both)")
    }
    let detail = try await market.store.detail(of: product)
    let left = try await market.store.questions(QuestionsRequest(.product(product))).questions
    #expect(detail.questionCount == left.count && left.allSatisfy { $0.answer != nil })
    expect(detail.product.isReserved, !left.isEmpty)
  }
}
