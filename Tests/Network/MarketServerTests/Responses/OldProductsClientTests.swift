import Expectations
import MarketAPI
import MarketModel
import MarketServer
import MarketStore
import StoreCore
import TestSupport
import Testing

/// What clients of the products API rely on, from the request to the answer, a row a fact: asked of a
/// market whose only product has the number 1, the seller `me`, called hana, and the secret `pw`.
struct OldProductsClientTests {
  private static func registration(
    name: String = "Camping chair", _ rest: String = #""description":"Folds flat.""#,
    currency: String = "KRW", pictures: Int = 1, dashes: String = "--"
  ) -> String {
    let files = (0..<pictures).map { number in
      "\(dashes)b\nContent-Disposition: form-data; name=\"images\"; filename=\"a.png\"\n"
        + "Content-Type: image/png\n\n@\(number)\n"
    }.joined()
    return """
      POST /api/products
      identifier: me
      Content-Type: multipart/form-data; boundary=b

      \(dashes)b
      Content-Disposition: form-data; name="params"

      {"name":"\(name)",\(rest),"price":38000,"currency":"\(currency)","secret":"pw"}
      \(files)\(dashes)b--
      """
  }

  private static func json(_ line: String, _ json: String, identifier: String = "me") -> String {
    "\(line)\nidentifier: \(identifier)\n\n\(json)"
  }

  static let reading = [
    ServingFact("the health check", "GET /healthChecker", 200, #""OK""#),
    ServingFact(
      "a list", "GET /api/products?page_no=1&items_per_page=20", 200, #""pages":[{"id":1,"#),
    ServingFact(
      "a search for a name", "GET /api/products?page_no=1&items_per_page=20&search_value=bicy", 200,
      #""totalCount":1,"#),
    ServingFact(
      "a search for a seller", "GET /api/products?page_no=1&items_per_page=20&search_value=hana",
      200, #""totalCount":1,"#),
    ServingFact(
      "a search that finds nothing",
      "GET /api/products?page_no=1&items_per_page=20&search_value=boat", 200, #""pages":[]"#),
    ServingFact(
      "past the end", "GET /api/products?page_no=7&items_per_page=20", 200,
      #""limit":140,"lastPage":1,"last_page":1,"hasNext":false,"has_next":false,"hasPrev":true"#),
    ServingFact("a detail", "GET /api/products/1/", 200, #""vendors":{"id":1,"name":"hana""#),
    ServingFact("a missing product", "GET /api/products/9", 404, #""code":404"#),
  ]

  static let registering = [
    ServingFact("a registration", registration(), 201, #"{"id":2,"vendor_id":1,"#),
    ServingFact("a name of four digits", registration(name: "3333"), 201, #""name":"3333""#),
    ServingFact("a name of one letter", registration(name: "x"), 201, #""name":"x""#),
    ServingFact("an empty text", registration(#""descriptions":"""#), 201, #""description":"""#),
    ServingFact(
      "no discount and no stock", registration(), 201,
      #""bargain_price":38000,"discounted_price":0,"stock":0"#),
    ServingFact(
      "a discount above the price",
      registration(#""description":"x","discounted_price":38001"#), 400, "discounted_price: "),
    ServingFact(
      "another currency", registration(currency: "JPY"), 400, "currency: must be KRW or USD"),
    ServingFact("five pictures", registration(pictures: 5), 201, #"{"id":2,"#),
    ServingFact("six pictures", registration(pictures: 6), 400, "images: "),
    ServingFact("a delimiter without its dashes", registration(dashes: ""), 400, #""code":400"#),
    ServingFact(
      "params that are no object", registration().replacing("{\"name\"", with: "[\"name\""), 400,
      "params: "),
    ServingFact(
      "no identifier", registration().replacing("identifier: me\n", with: ""), 400, "identifier: "),
  ]

  static let changing = [
    ServingFact(
      "an edit", json("PATCH /api/products/1", #"{"name":"Cup","secret":"pw"}"#), 202,
      #""name":"Cup""#),
    ServingFact(
      "an edit without a secret", json("PATCH /api/products/1", #"{"name":"Cup"}"#), 400,
      "secret: is missing"),
    ServingFact(
      "a wrong secret", json("PATCH /api/products/1", #"{"name":"Cup","secret":"no"}"#), 401,
      #""code":401"#),
    ServingFact(
      "another seller",
      json("PATCH /api/products/1", #"{"name":"Cup","secret":"pw"}"#, identifier: "you"), 403,
      #""code":403"#),
    ServingFact(
      "a thumbnail that is no picture of the product",
      json("PATCH /api/products/1", #"{"thumbnail_id":99,"secret":"pw"}"#), 400, "images: "),
    ServingFact(
      "a key of 2022 for a wrong secret", json("POST /api/products/1/secret", #"{"secret":"no"}"#),
      401, #"{"error":true"#),
    ServingFact(
      "a key of 2023 of another seller",
      json("POST /api/products/1/archived", #"{"secret":"pw"}"#, identifier: "you"), 403,
      #"{"error":true"#),
    ServingFact(
      "a deletion by a key that is none", json("DELETE /api/products/1/abc", ""), 401,
      #""code":401"#),
  ]

  @Test(arguments: reading + registering + changing)
  func `a client of old gets`(_ fact: ServingFact) async throws {
    let market = try await ServedStore()
    try await fill(market)

    let answer = await market.send(spelled: fact.message)

    expect(answer.status.rawValue, fact.status)
    #expect(answer.text.contains(fact.words), "\(answer.text)")
    #expect(!answer.text.contains("null"))
    expect(answer.headers[HeaderName.contentType], "application/json")
  }

  @Test(arguments: ["secret", "archived"])
  func `what the first step answers is deleted with, and answers the product`(
    _ route: String
  ) async throws {
    let market = try await ServedStore()
    try await fill(market)
    let first = await market.send(
      spelled: Self.json("POST //api/products/1/\(route)", #"{"secret":"pw"}"#))
    let path = route == "secret" ? "/api/products/1/" + first.text : first.text

    let second = await market.send(spelled: "DELETE /\(path)\nidentifier: me")

    expect(first.status, .ok)
    expect(second.status, .ok)
    try expect(second.json["name"]?.string, "Bicycle")
  }

  @Test func `the newest come first, as many as were asked for`() async throws {
    let market = try await ServedStore()
    for number in 1...65 { _ = try await market.store.register(.sample(name: "\(number)")) }

    let newest = try await market.send(
      spelled: "GET /api/products?page_no=1&items_per_page=1"
    ).json
    let third = try await market.send(
      spelled: "GET /api/products?page_no=3&items_per_page=20"
    ).json

    expect(newest["pages"]?.elements.map { $0["name"]?.string }, ["65"])
    expect(third["pages"]?.elements.map { $0["id"]?.number?.integer }, (6...25).reversed())
    expect(third["limit"]?.number?.integer, 60)
    expect(third["lastPage"]?.number?.integer, 4)
  }

  @Test func `a picture is what its bytes are, and the thumbnail is any of them`() async throws {
    let market = try await ServedStore()
    let created = try await market.send(spelled: Self.registration(pictures: 2)).json
    let pictures = try #require(created["images"]).elements.map { $0 }
    let url = try #require(pictures[0]["url"]?.string)
    let second = try #require(pictures[1]["id"]?.number?.integer)

    let file = await market.send(.get, try #require(WebAddress(url)).target)
    let changed = try await market.send(
      spelled: Self.json("PATCH /api/products/1", "{\"thumbnail_id\":\(second),\"secret\":\"pw\"}")
    ).json

    expect(file.headers[HeaderName.contentType], "image/jpeg")
    expect(created["thumbnail"]?.string, pictures[0]["thumbnail_url"]?.string)
    expect(changed["thumbnail"]?.string, pictures[1]["thumbnail_url"]?.string)
    #expect(changed["thumbnail"]?.string != created["thumbnail"]?.string)
  }

  @Test func `a picture somewhat above 300 KB is taken, one above 400 KB is not`() async throws {
    let market = try await ServedStore()

    let some = await market.send(
      spelled: Self.registration(), picture: PictureFile.jpeg(byteCount: 368_640))
    let more = await market.send(
      spelled: Self.registration(), picture: PictureFile.jpeg(byteCount: 409_601))

    expect(some.status, .created)
    expect(more.status, .badRequest)
    #expect(more.text.contains("images: "))
  }

  private func fill(_ market: borrowing ServedStore) async throws {
    let identifier = SellerIdentifier(secret: "me")
    _ = try await market.store.rename(identifier, to: "hana")
    _ = try await market.store.register(.sample(password: "pw"), by: .seller(identifier))
  }
}
