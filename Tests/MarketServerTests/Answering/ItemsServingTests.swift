import MarketAPI
import MarketModel
import MarketServer
import MarketStore
import TestSupport
import Testing

/// The items API as its clients know it.
@Suite struct ItemsServingTests {
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
    let deleted = try await market.send(.delete(id, Password("secret"), .product), in: items)

    for answer in [created, changed, deleted] {
      #expect(answer.status == .ok)
      #expect(answer.headers[HeaderName.contentType] == "application/json")
      #expect(try answer.json["descriptions"]?.string == "As good as new.")
      #expect(try answer.json["discounted_price"]?.number?.integer == 160)
    }
    #expect(try changed.json["title"]?.string == "Lamp, red")
    #expect(await market.send(.get, "/item/\(id.rawValue)").status == .notFound)
  }

  @Test func `the first clients get the number alone when they delete`() async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample()).id

    let answer = try await market.send(.delete(id, Password("secret"), .number), in: items)

    #expect(answer.text == "{\"id\":\(id.rawValue)}")
  }

  @Test func `a check of the password changes nothing and answers the item`() async throws {
    let market = try await ServedStore()
    let before = try await market.store.register(.sample())

    let right = try await market.send(.verify(before.id, Password("secret"), .guest), in: items)
    let wrong = try await market.send(.verify(before.id, Password("guess"), .guest), in: items)

    #expect(right.status == .ok)
    #expect(wrong.status == .notFound)
    #expect(try wrong.json["message"]?.string == "Wrong password")
    #expect(try await market.store.detail(of: before.id) == before)
  }

  @Test func `a page past the end is empty with 200`() async throws {
    let market = try await ServedStore()
    _ = try await market.store.register(.sample())

    let answer = await market.send(.get, "/items/2")

    #expect(answer.status == .ok)
    #expect(answer.text == "{\"page\":2,\"items\":[]}")
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

    #expect(answer.status == .ok)
    #expect(try answer.json["title"]?.string == "Lamp")
  }

  @Test func `products of v2 are changed by their password`() async throws {
    let market = try await ServedStore()
    let seller = Author.seller(SellerIdentifier(secret: "a-seller"))
    let id = try await market.store.register(.sample(), by: seller).id

    let answer = try await market.send(.delete(id, Password("secret"), .product), in: items)

    #expect(answer.status == .ok)
  }
}
