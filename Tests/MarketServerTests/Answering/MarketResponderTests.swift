import MarketAPI
import MarketModel
import MarketServer
import TestSupport
import Testing

@Suite struct MarketResponderTests {
  private let products = ProductsDialect(variant: .y2023)
  private let seller = Author.seller(SellerIdentifier(secret: "a-seller"))

  @Test func `a product that v2 registers is listed by both dialects`() async throws {
    let market = try await ServedStore()

    let created = try await market.send(
      .register(.sample(name: "Lamp"), seller, nil), in: products)

    #expect(created.status == .created)
    #expect(await market.send(.get, "/api/products?page_no=1").text.contains("\"Lamp\""))
    #expect(await market.send(.get, "/items/1").text.contains("\"Lamp\""))
  }

  @Test func `every answer announces the additions`() async throws {
    let market = try await ServedStore()

    for target in ["/healthChecker", "/api/products", "/items/1", "/nothing", "/item/7"] {
      #expect(await market.send(.get, target).announcesExtensions)
    }
  }

  @Test func `a page that is known is answered again without being found out`() async throws {
    let market = try await ServedStore()
    let request = ServerRequest(.get, "/api/products", from: Visitor(address: "192.0.2.1"))

    #expect(market.responder.knownResponse(to: request) == nil)
    let first = await market.responder.response(to: request)

    #expect(market.responder.knownResponse(to: request)?.message == first.message)
  }

  @Test func `a change of the market makes the server forget its answers`() async throws {
    let market = try await ServedStore()
    _ = await market.send(.get, "/api/products")

    _ = try await market.store.register(.sample(name: "Lamp"))

    #expect(await market.send(.get, "/api/products").text.contains("\"Lamp\""))
  }

  @Test func `a page that has not changed is not sent again`() async throws {
    let market = try await ServedStore()
    let page = await market.send(.get, "/api/products")
    let tag = try #require(page.headers[HeaderName.entityTag])

    let again = await market.send(
      .get, "/api/products", headers: [HeaderName.ifNoneMatch: tag])

    #expect(again.status == .notModified)
    #expect(again.body.isEmpty)
    #expect(again.headers[HeaderName.entityTag] == tag)
  }

  @Test func `a picture is found at the addresses of its product`() async throws {
    let market = try await ServedStore(publicURL: "https://market.example")
    let file = PictureFile.jpeg(7)
    let detail = try await market.store.register(.sample(pictures: [file]))

    let text = await market.send(.get, "/api/products/\(detail.id.rawValue)").text
    let document = try JSONDocument(parsing: Array(text.utf8)).root
    let image = try #require(document["images"]?.elements.first { _ in true })
    let whole = try #require(image["url"]?.string)
    let small = try #require(image["thumbnail_url"]?.string)

    let prefix = "https://market.example"
    #expect(whole.hasPrefix(prefix) && small.hasPrefix(prefix))
    let answer = await market.send(.get, String(whole.dropFirst(prefix.count)))
    #expect(answer.body == file)
    #expect(answer.headers[HeaderName.contentType] == "image/jpeg")
    #expect(answer.headers[HeaderName.cacheControl]?.contains("immutable") == true)
    let thumbnail = await market.send(.get, String(small.dropFirst(prefix.count)))
    #expect(thumbnail.body == Array(file.prefix(16)))
  }
}
