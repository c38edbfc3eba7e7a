import Expectations
import MarketAPI
import MarketModel
import MarketServer
import MarketStore
import StoreCore
import TestSupport
import Testing

/// The items API as its clients know it.
struct ItemsServingTests {
  private let items = ItemsDialect()

  @Test func `registering, changing and deleting answer the whole item with 200`() async throws {
    let market = try await ServedStore()

    let created = try await market.send(
      .register(.sample(name: "Lamp", price: 165, discount: 5), .guest, nil), in: items)
    let id = Product.ID(rawValue: try #require(try created.json["id"]?.number?.integer))
    let changed = try await market.send(
      .update(
        ProductUpdate(
          id: id, patch: ProductPatch(name: "Lamp, red"), password: Password("secret"),
          author: .guest)), in: items)
    let deleted = try await market.send(.delete(id, Password("secret"), .guest), in: items)

    for answer in [created, changed, deleted] {
      expect(answer.status, .ok)
      expect(answer.headers[HeaderName.contentType], "application/json")
      try expect(answer.json["descriptions"]?.string, "As good as new.")
      try expect(answer.json["discounted_price"]?.number?.integer, 160)
    }
    try expect(changed.json["title"]?.string, "Lamp, red")
    await expect(market.send(.get, "/item/\(id.rawValue)").status, .notFound)
  }

  /// Registers 38.50 for 29.50 dollars, which v1 shows as 39 for 30.
  private func fractional(_ market: borrowing ServedStore) async throws -> Product.ID {
    var registration = ProductRegistration.sample(price: 0, currency: .usd)
    (registration.price.hundredths, registration.discountHundredths) = (3_850, 900)
    return try await market.store.register(registration).id
  }

  @Test(
    arguments: [
      ("price=39", "USD", 3_850, 900), ("discounted_price=30", "USD", 3_850, 900),
      ("price=39&discounted_price=30", "USD", 3_850, 900),
      ("price=39&currency=USD", "USD", 3_850, 900), ("price=50", "USD", 5_000, 2_050),
      ("price=30", "USD", 3_000, 0), ("price=20", "USD", 2_000, 0),
      ("discounted_price=39", "USD", 3_850, 0), ("discounted_price=20", "USD", 3_850, 1_850),
      ("price=30&discounted_price=30", "USD", 3_000, 0),
      ("price=60&discounted_price=30", "USD", 6_000, 3_050),
      ("currency=KRW", "KRW", 3_850, 900),
      ("currency=KRW&price=50000", "KRW", 5_000_000, 4_997_050),
      ("currency=KRW&price=20", "KRW", 2_000, 0), ("stock=2", "USD", 3_850, 900),
    ] as [(String, String, Int64, Int64)])
  func `an edit changes what it names as v1 shows it, and nothing else`(
    fields: String, currency: String, full: Int64, discount: Int64
  ) async throws {
    let market = try await ServedStore()
    let id = try await fractional(market)
    let members = fields.split(separator: "&").map { field in
      let (name, value) = (field.prefix { $0 != "=" }, field.drop { $0 != "=" }.dropFirst())
      return "\"\(name)\":\"\(value)\""
    }

    let answer = await market.send(
      .patch, "/item/\(id.rawValue)",
      body: "{\(members.joined(separator: ",")),\"password\":\"secret\"}")

    expect(answer.status, .ok)
    let price = try await market.store.detail(of: id).product.pricing.price
    expect(price?.full, Money(hundredths: full, currency: Currency(rawValue: currency)))
    expect(price?.discountHundredths, discount)
  }

  @Test func `a reduction of less than v1 can show stays with its price and goes with it`()
    async throws
  {
    let market = try await ServedStore()
    var registration = ProductRegistration.sample(price: 0)
    (registration.price.hundredths, registration.discountHundredths) = (3_850, 30)
    let id = try await market.store.register(registration).id

    var discounts: [Int64?] = []
    for price in ["39", "50"] {
      _ = await market.send(
        .patch, "/item/\(id.rawValue)", body: #"{"price":\#(price),"password":"secret"}"#)
      discounts.append(
        try await market.store.detail(of: id).product.pricing.price?.discountHundredths)
    }

    expect(discounts, [30, 0])
  }

  @Test func `a picture whose part leaves a quote open is taken by POST and PATCH`() async throws {
    let market = try await ServedStore()
    let head = "Content-Type: multipart/form-data; boundary=b\n\n"
    let picture = "--b\nContent-Disposition: form-data; name=\"images[]\n\n@\n"
    let texts = [
      ("title", "Lamp"), ("descriptions", "Warm."), ("price", "10"), ("currency", "KRW"),
      ("stock", "1"), ("password", "pw"),
    ].map { "--b\nContent-Disposition: form-data; name=\"\($0)\n\n\($1)\n" }.joined()
    let password = "--b\nContent-Disposition: form-data; name=\"password\"\n\npw\n"

    let created = await market.send(spelled: "POST /item\n\(head)\(texts)\(picture)--b--")
    let before = try await market.store.detail(of: Product.ID(rawValue: 1)).pictures
    let changed = await market.send(
      spelled: "PATCH /item/1\n\(head)\(picture)\(password)--b--", picture: PictureFile.jpeg(9))
    let after = try await market.store.detail(of: Product.ID(rawValue: 1)).pictures

    expect(created.status, .ok)
    expect(changed.status, .ok)
    #expect(after.count == 1 && after != before)
  }

  @Test func `two guests at two addresses have keys of their own, and a key is for one item`()
    async throws
  {
    let market = try await ServedStore()
    let key = IdempotencyKey(rawValue: "1")
    func send(_ name: String, _ address: String) async throws -> HTTPResponse {
      try await market.send(
        .register(.sample(name: name), .guest, key), in: items, from: address)
    }

    let first = try await send("Mug", "192.0.2.1")
    let other = try await send("Cup", "192.0.2.2")
    let reused = try await send("Cup", "192.0.2.1")
    let again = try await send("Mug", "192.0.2.1")

    try expect(first.json["title"]?.string, "Mug")
    try expect(other.json["title"]?.string, "Cup")
    expect(reused.status, .badRequest)
    try expect(reused.problem, "key_reused")
    expect(again.text, first.text)
  }

  @Test func `the first clients get the number alone when they delete`() async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample()).id

    let answer = await market.send(
      .delete, "/item/\(id.rawValue)", headers: [HeaderName.contentType: "application/json"],
      body: #"{"id":\#(id.rawValue),"password":"secret"}"#)

    expect(answer.text, "{\"id\":\(id.rawValue)}")
  }

  @Test func `a check of the password changes nothing and answers the item`() async throws {
    let market = try await ServedStore()
    let before = try await market.store.register(.sample())

    let right = try await market.send(.verify(before.id, Password("secret"), .guest), in: items)
    let wrong = try await market.send(.verify(before.id, Password("guess"), .guest), in: items)

    expect(right.status, .ok)
    expect(wrong.status, .notFound)
    try expect(wrong.json["message"]?.string, "Wrong password")
    try await expect(market.store.detail(of: before.id), before)
  }

  @Test func `a page past the end is empty with 200`() async throws {
    let market = try await ServedStore()
    _ = try await market.store.register(.sample())

    let answer = await market.send(.get, "/items/2")

    expect(answer.status, .ok)
    expect(answer.text, "{\"page\":2,\"items\":[]}")
  }

  @Test func `JSON registers as a form does`() async throws {
    let market = try await ServedStore()
    let picture =
      "/9j/4AAqKioqKioqKioqKioqKioqKioqKioqKioqKioqKioqKioqKioqKioqKioqKioqKioqKioqKioqKioqKg=="

    let answer = await market.send(
      .post, "/item/",
      body: """
        {"title":"Lamp","descriptions":"Warm.","price":10,"currency":"KRW","stock":1,
         "images":["\(picture)"],"password":"secret"}
        """)

    expect(answer.status, .ok)
    try expect(answer.json["title"]?.string, "Lamp")
  }

  @Test func `products of v2 are changed by their password`() async throws {
    let market = try await ServedStore()
    let seller = Author.seller(SellerIdentifier(secret: "a-seller"))
    let id = try await market.store.register(.sample(), by: seller).id

    let answer = try await market.send(.delete(id, Password("secret"), .guest), in: items)

    expect(answer.status, .ok)
  }
}
