import Expectations
import MarketAPI
import MarketModel
import MarketServer
import MarketStore
import StoreCore
import TestSupport
import Testing

/// The products API as its clients know it, and our additions to it.
struct ProductsServingTests {
  private let products = ProductsDialect(variant: .y2023)
  private let seller = Author.seller(SellerIdentifier(secret: "a-seller"))
  private let other = Author.seller(SellerIdentifier(secret: "another"))

  @Test(arguments: ["/healthChecker", "//healthChecker", "/healthchecker/"])
  func `health is OK in quotes, however the path is spelled`(_ target: String) async throws {
    let market = try await ServedStore()

    let answer = await market.send(.get, target)

    expect(answer.status, .ok)
    expect(answer.text, "\"OK\"")
  }

  @Test(arguments: [
    "/api/products/", "//api/products?page_no=1", "/api/products?",
    "/api/products?page-no=1&items-per-page=10", "/api/products?search_value=",
  ])
  func `lists are found under all spellings`(_ target: String) async throws {
    let market = try await ServedStore()
    _ = try await market.store.register(.sample(name: "Lamp"))

    #expect(await market.send(.get, target).text.contains("\"Lamp\""))
  }

  @Test func `registering is 201, changing 202, and a failed check 401 or 403`() async throws {
    let market = try await ServedStore()

    let created = try await market.send(.register(.sample(), seller, nil), in: products)
    let id = Product.ID(rawValue: try #require(try created.json["id"]?.number?.integer))
    let changed = try await market.send(update(id, by: seller), in: products)
    let wrong = try await market.send(update(id, by: seller, password: "guess"), in: products)
    let foreign = try await market.send(update(id, by: other), in: products)
    let gone = try await market.send(
      update(Product.ID(rawValue: 99), by: seller), in: products)

    expect(created.status, .created)
    expect(changed.status, .accepted)
    expect(wrong.status, .unauthorized)
    expect(foreign.status, .forbidden)
    expect(gone.status, .notFound)
  }

  @Test func `a seller keeps its number and its name`() async throws {
    let market = try await ServedStore()
    let first = try await market.send(.register(.sample(), seller, nil), in: products)

    let renamed = try await market.send(
      .changeSeller(SellerIdentifier(secret: "a-seller"), SellerChange(name: "Hana")), in: products)
    let second = try await market.send(.register(.sample(), seller, nil), in: products)

    let number = try first.json["vendor_id"]?.number?.integer
    try expect(second.json["vendor_id"]?.number?.integer, number)
    try expect(second.json["vendors"]?["name"]?.string, "Hana")
    expect(renamed.status, .ok)
  }

  @Test(arguments: [
    ("", "name: is missing"), (String(repeating: "x", count: 101), "name: is longer"),
  ])
  func `a name that no seller may have is refused with the reason`(
    _ name: String, _ reason: String
  ) async throws {
    let market = try await ServedStore()
    let rename = MarketOperation.changeSeller(
      SellerIdentifier(secret: "a-seller"), SellerChange(name: name))

    let answer = try await market.send(rename, in: products)

    expect(answer.status, .badRequest)
    try expect(answer.json["message"]?.string?.hasPrefix(reason), true)
  }

  @Test(arguments: ["two\\nlines", String(repeating: "x", count: 201)])
  func `a contact that is no line is refused with the reason`(_ contact: String) async throws {
    let market = try await ServedStore()

    let answer = await market.send(
      .patch, "/api/sellers/me", headers: [HeaderName.identifier: "a-seller"],
      body: "{\"contact\":\"\(contact)\"}")

    expect(answer.status, .badRequest)
    try expect(answer.json["message"]?.string, "contact: one line of at most 200 characters")
  }

  @Test func `a contact is told where there is one, and nothing else changes`() async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(), by: seller).id
    let target = "/api/products/\(id.rawValue)"
    let before = await market.send(.get, target).text
    let contact = try #require(SellerContact("010-1234-5678"))
    let change = SellerChange(contact: .set(contact))

    let answer = try await market.send(
      .changeSeller(SellerIdentifier(secret: "a-seller"), change), in: products)
    let after = await market.send(.get, target).text

    try expect(answer.json["contact"]?.string, "010-1234-5678")
    expect(after.replacing(",\"contact\":\"010-1234-5678\"", with: ""), before)
    #expect(await !market.send(.get, "/api/products").text.contains("contact"))
  }

  @Test func `a cursor that nobody was given is refused with the reason`() async throws {
    let market = try await ServedStore()

    for target in ["/api/products?after=x", "/api/products?search_value=lamp&after=x"] {
      let answer = await market.send(.get, target)

      expect(answer.status, .badRequest)
      try expect(answer.json["message"]?.string, "after: the list has no such place")
    }
  }

  @Test func `what breaks the rules is named and not stored`() async throws {
    let market = try await ServedStore()

    let answer = try await market.send(
      .register(.sample(price: -1, currency: Currency(rawValue: "JPY")), seller, nil),
      in: products)

    expect(answer.status, .badRequest)
    #expect(answer.text.contains("price: is negative"))
    #expect(answer.text.contains("currency: must be KRW or USD"))
    #expect(try await market.store.page(PageRequest()).products.isEmpty)
  }

  @Test(arguments: [
    ("", "identifier"), ("{\"secret\":", "body"), ("[]", "body"),
    (String(repeating: "[", count: 65) + String(repeating: "]", count: 65), "body"),
  ])
  func `a request that cannot be read is told what of it`(
    _ body: String, _ part: String
  ) async throws {
    let market = try await ServedStore()
    let headers: HTTPHeaders = body.isEmpty ? [:] : [HeaderName.identifier: "a-seller"]

    let answer = await market.send(.patch, "/api/products/1", headers: headers, body: body)

    expect(answer.status, .badRequest)
    #expect(answer.text.contains("\(part): "))
  }

  @Test func `a key with another product is 422, and answers as before when its own is gone`()
    async throws
  {
    let market = try await ServedStore()
    let key = IdempotencyKey(rawValue: "one intent")
    let first = try await market.send(.register(.sample(name: "Mug"), seller, key), in: products)
    let id = Product.ID(rawValue: try #require(try first.json["id"]?.number?.integer))

    let reused = try await market.send(.register(.sample(name: "Cup"), seller, key), in: products)
    _ = try await market.store.delete(id, by: seller)
    let again = try await market.send(.register(.sample(name: "Mug"), seller, key), in: products)

    expect(reused.status.rawValue, 422)
    try expect(reused.problem, "key_reused")
    expect(again.status, .created)
    expect(again.text, first.text)
  }

  @Test func `a key registers once, however often it is sent`() async throws {
    let market = try await ServedStore()
    let key = IdempotencyKey(rawValue: "one intent")

    let first = try await market.send(.register(.sample(), seller, key), in: products)
    let again = try await market.send(.register(.sample(), seller, key), in: products)
    let without = try await market.send(.register(.sample(), seller, nil), in: products)

    expect(again, first)
    #expect(without != first)
    try await expect(market.store.page(PageRequest()).total, .exactly(2))
  }

  @Test func `an edit of an old version is refused with what is there now`() async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(), by: seller).id
    let target = "/api/products/\(id.rawValue)"
    let read = try #require(await market.send(.get, target).headers[HeaderName.entityTag])
    _ = try await market.send(update(id, by: seller), in: products)

    let late = await edit(target, ifMatch: read, at: market)
    let now = try #require(late.headers[HeaderName.entityTag])
    let again = await edit(target, ifMatch: now, at: market)

    expect(late.status, .preconditionFailed)
    try expect(late.json["current"]?["name"]?.string, "Changed")
    expect(again.status, .accepted)
  }

  @Test func `a seller's new name reaches those who hold the product`() async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(), by: seller).id
    let target = "/api/products/\(id.rawValue)"
    let tag = try #require(await market.send(.get, target).headers[HeaderName.entityTag])
    let same = await market.send(.get, target, headers: [HeaderName.ifNoneMatch: tag])

    _ = try await market.store.rename(SellerIdentifier(secret: "a-seller"), to: "Hana")
    let renamed = await market.send(.get, target, headers: [HeaderName.ifNoneMatch: tag])

    expect(same.status, .notModified)
    expect(renamed.status, .ok)
  }

  @Test func `lists show the beginnings of texts, details all`() async throws {
    let market = try await ServedStore()
    let text = String(repeating: "가", count: 1_001)
    let id = try await market.store.register(.sample(description: text)).id

    let list = await market.send(.get, "/api/products").text
    let detail = try await market.send(.get, "/api/products/\(id.rawValue)").json

    #expect(list.contains(text.dropLast()) && !list.contains(text))
    expect(detail["description"]?.string, text)
  }

  @Test func `more than a thousand a page are a thousand`() async throws {
    let market = try await ServedStore()

    let page = try await market.send(.get, "/api/products?items_per_page=5000").json

    expect(page["itemsPerPage"]?.number?.integer, 1_000)
  }

  @Test(arguments: [
    (ProductsDialect.Variant.y2022, "T00:00:00.00\""), (.y2023, "T00:00:00\""),
  ])
  func `dates end as in their year`(
    _ variant: ProductsDialect.Variant, _ ending: String
  ) async throws {
    let market = try await ServedStore(variant: variant)
    _ = try await market.store.register(.sample())

    #expect(await market.send(.get, "/api/products").text.contains(ending))
  }

  private func update(
    _ id: Product.ID, by author: Author, password: String = "secret"
  ) -> MarketOperation {
    .update(
      ProductUpdate(
        id: id, patch: ProductPatch(name: "Changed"), password: Password(password),
        author: author))
  }

  private func edit(
    _ target: String, ifMatch tag: String, at market: borrowing ServedStore
  ) async -> HTTPResponse {
    await market.send(
      .patch, target,
      headers: [HeaderName.identifier: "a-seller", HeaderName.ifMatch: tag],
      body: "{\"secret\":\"secret\",\"stock\":9}")
  }
}
