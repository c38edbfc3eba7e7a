import Expectations
import MarketAPI
import MarketModel
import MarketServer
import MarketStore
import StoreCore
import TestSupport
import Testing

/// What clients of the items API rely on, from the request to the answer, a row a fact: asked of a
/// market whose only item has the number 1 and the password `pw`.
struct OldItemsClientTests {
  private static func form(_ line: String, _ parts: [(String, String)]) -> String {
    let parts = parts.map { name, text in
      "--b\nContent-Disposition: form-data; name=\"\(name)\"\n\n\(text)\n"
    }
    return "\(line)\nContent-Type: multipart/form-data; boundary=b\n\n\(parts.joined())--b--"
  }

  private static func registration(
    title: String = "Lamp", descriptions: String = "Warm.", currency: String = "KRW",
    pictures: Int = 1
  ) -> String {
    form(
      "POST /item",
      [
        ("title", title), ("descriptions", descriptions), ("price", "10"),
        ("currency", currency), ("stock", "1"), ("password", "pw"),
      ] + Array(repeating: ("images[]", "@"), count: pictures))
  }

  static let facts = [
    ServingFact("a list", "GET /items/1", 200, #"{"page":1,"items":[{"id":1,"#),
    ServingFact("past the end", "GET /items/2", 200, #"{"page":2,"items":[]}"#),
    ServingFact("a detail", "GET /item/1", 200, #""descriptions":"As good as new.""#),
    ServingFact("a missing item", "GET /item/9", 404, #""reason":"Not Found""#),
    ServingFact("a page that is none", "GET /items/zero", 400, #""message":"page: "#),
    ServingFact("a registration", registration(), 200, #"{"id":2,"title":"Lamp""#),
    ServingFact("a title of one letter", registration(title: "x"), 200, #""title":"x""#),
    ServingFact("no text", registration(descriptions: ""), 200, #""descriptions":"""#),
    ServingFact("five pictures", registration(pictures: 5), 200, #"{"id":2,"#),
    ServingFact("six pictures", registration(pictures: 6), 400, "images[]: "),
    ServingFact("no picture", registration(pictures: 0), 400, "images[]: is missing"),
    ServingFact("a currency that v2 cannot show", registration(currency: "JPY"), 400, "currency: "),
    ServingFact("no body", "POST /item", 400, "body: "),
    ServingFact(
      "an edit", form("PATCH /item/1", [("title", "Cup"), ("password", "pw")]), 200,
      #""title":"Cup""#),
    ServingFact(
      "the price to pay of an edit",
      form("PATCH /item/1", [("discounted_price", "9000"), ("password", "pw")]), 200,
      #""discounted_price":9000"#),
    ServingFact(
      "a price to pay above the price",
      form("PATCH /item/1", [("discounted_price", "10001"), ("password", "pw")]), 400,
      "discounted_price: "),
    ServingFact("a check", form("PATCH /item/1", [("password", "pw")]), 200, #""title":"Bicycle""#),
    ServingFact(
      "a wrong password in an edit", form("PATCH /item/1", [("stock", "1"), ("password", "no")]),
      404, #""message":"Wrong password""#),
    ServingFact(
      "no password", form("PATCH /item/1", [("stock", "1")]), 400, "password: is missing"),
    ServingFact(
      "an edit of nothing that is there", form("PATCH /item/9", [("password", "pw")]), 404,
      #""error":true"#),
    ServingFact(
      "a deletion", "DELETE /item/1\nContent-Type: application/json\n\n{\"password\":\"pw\"}", 200,
      #""title":"Bicycle""#),
    ServingFact(
      "a deletion by number", "DELETE /item/1\n\n{\"id\":1,\"password\":\"pw\"}", 200, #"{"id":1}"#),
    ServingFact(
      "a wrong password in a deletion", "DELETE /item/1\n\n{\"password\":\"no\"}", 404,
      #""message":"Wrong password""#),
    ServingFact(
      "a deletion of nothing that is there", "DELETE /item/9\n\n{\"password\":\"pw\"}", 404,
      #""reason":"Not Found""#),
    ServingFact(
      "a deletion without a password", "DELETE /item/1\n\n{}", 400, "password: is missing"),
  ]

  @Test(arguments: facts)
  func `a client of old gets`(_ fact: ServingFact) async throws {
    let market = try await ServedStore()
    _ = try await market.store.register(.sample(password: "pw"))

    let answer = await market.send(spelled: fact.message)

    expect(answer.status.rawValue, fact.status)
    #expect(answer.text.contains(fact.words), "\(answer.text)")
    #expect(!answer.text.contains("null"))
    expect(answer.headers[HeaderName.contentType], "application/json")
  }

  @Test func `a page has twenty items, the newest first`() async throws {
    let market = try await ServedStore()
    for number in 1...23 { _ = try await market.store.register(.sample(name: "\(number)")) }

    let pages = try await [
      market.send(spelled: "GET /items/1").json, market.send(spelled: "GET /items/2").json,
    ]

    let numbers = pages.map { page in
      page["items"]?.elements.compactMap { $0["title"]?.string } ?? []
    }
    expect(numbers, [(4...23).reversed().map(String.init), ["3", "2", "1"]])
  }

  @Test func `a picture somewhat above 300 KB is taken`() async throws {
    let market = try await ServedStore()
    let picture = PictureFile.jpeg(byteCount: 368_640)

    let answer = await market.send(spelled: Self.registration(), picture: picture)

    expect(answer.status, .ok)
  }

  @Test func `a check with every field and picture as it is changes nothing that shows`()
    async throws
  {
    let market = try await ServedStore()
    _ = await market.send(spelled: Self.registration())
    let before = await market.send(spelled: "GET /item/1").text

    let fields = [
      ("title", "Lamp"), ("descriptions", "Warm."), ("price", "10"), ("currency", "KRW"),
      ("stock", "1"), ("images[]", "@"), ("password", "pw"),
    ]
    let check = await market.send(spelled: Self.form("PATCH /item/1", fields))

    expect(check.status, .ok)
    expect(check.text, before)
    await expect(market.send(spelled: "GET /item/1").text, before)
  }

  @Test func `a registration that is sent again with its key is made once`() async throws {
    let market = try await ServedStore()
    let message = Self.registration().replacing(
      "POST /item", with: "POST /item\nIdempotency-Key: k1")

    let first = await market.send(spelled: message)
    let again = await market.send(spelled: message)
    let other = await market.send(spelled: Self.registration())

    expect(again.text, first.text)
    #expect(other.text != first.text)
    try await expect(market.store.page(PageRequest()).total, .exactly(2))
  }
}
