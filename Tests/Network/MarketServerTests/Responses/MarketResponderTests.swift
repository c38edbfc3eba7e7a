import Expectations
import MarketAPI
import MarketModel
import MarketServer
import MarketStore
import StoreCore
import TestSupport
import Testing

struct MarketResponderTests {
  private let products = ProductsDialect(variant: .y2023)
  private let seller = Author.seller(SellerIdentifier(secret: "a-seller"))

  @Test func `a product that v2 registers is listed by both dialects`() async throws {
    let market = try await ServedStore()

    let created = try await market.send(
      .register(.sample(name: "Lamp"), seller, nil), in: products)

    expect(created.status, .created)
    #expect(await market.send(.get, "/api/products?page_no=1").text.contains("\"Lamp\""))
    #expect(await market.send(.get, "/items/1").text.contains("\"Lamp\""))
  }

  @Test func `every answer announces the additions`() async throws {
    let market = try await ServedStore()

    let all = Set(ServerCapability.allCases).subtracting([.uploads])
    for target in ["/healthChecker", "/api/products", "/items/1", "/nothing", "/item/7"] {
      await expect(market.send(.get, target).headers.capabilities, all)
    }
  }

  @Test func `a server announces what it has, and no more`() async throws {
    let market = try await ServedStore()
    var options = MarketResponder.Options(publicAddress: .fixed("http://a.example"), now: { 0 })
    options.capabilities = [.orders, .words]
    let responder = MarketResponder(market.store, options)

    for target in ["/healthChecker", "/api/products", "/nothing"] {
      let answer = await responder.response(
        to: ServerRequest(.get, target, from: RemoteClient(address: "192.0.2.1")))
      expect(answer.message.headers[HeaderName.capabilities], "orders, words")
    }
  }

  @Test func `the public address is announced where there is one, never what a client asked`()
    async throws
  {
    let named = try await ServedStore(publicURL: "https://market.example/m")
    let unnamed = try await ServedStore()

    for target in ["/healthChecker", "/api/products", "/items/1"] {
      let answer = await named.send(.get, target)
      expect(answer.headers[HeaderName.marketAddress], "https://market.example/m")
      let silent = await unnamed.send(.get, target, headers: ["Host": "evil.example"])
      expect(silent.headers[HeaderName.marketAddress], nil)
    }
  }

  @Test func `a count is remembered for the whole query, not for its words alone`() async throws {
    let market = try await ServedStore()
    for stock in [0, 1, 2] as [Int64] {
      var lamp = ProductRegistration.sample(name: "Lamp")
      lamp.stock = stock
      _ = try await market.store.register(lamp)
    }

    for _ in 0..<2 {
      for (query, count) in [("", 3), ("&in_stock=1", 2), ("&reduced=1", 0)] {
        let answer = await market.send(
          .get, "/api/products?items_per_page=1&search_value=lamp\(query)")
        #expect(answer.text.contains("\"totalCount\":\(count),"))
      }
    }
  }

  @Test func `what words find is counted to 1,001, unless the exact count is asked for`()
    async throws
  {
    let market = try await ServedStore()
    let hash = try await PasswordHasher(cost: .least).hash(Password("market"))
    let price = try #require(Price(full: Money(hundredths: 100_000, currency: .krw)))
    let products = (1...1_200).map { number in
      ArchivedProduct(
        seller: "Hana", name: "Lamp \(number)", description: "", price: price, stock: 1,
        created: Int64(number), pictures: [])
    }
    try await market.store.seed(SeedMarket(products: products, pictures: [], passwordHash: hash))

    let first = Product.ID(rawValue: 1)
    let seller = try await market.store.detail(of: first).product.seller.id.rawValue

    // What is remembered of one changes nothing of another.
    for _ in 0..<2 {
      for (query, count, words) in [
        ("search_value=lamp&count=some", 1_001, "\"hasNext\":true"),
        ("search_value=lamp&count=exact", 1_200, "\"totalIsExact\":true"),
        ("search_value=lamp&count=some&page_no=51", 1_021, "\"totalIsExact\":false"),
        ("search_value=lamp&count=some&page_no=60", 1_200, "\"hasNext\":false"),
        ("search_value=lamp&count=exact&page_no=61", 1_200, "\"hasNext\":false"),
        ("search_value=lamp", 1_001, "\"limit\":20,"),
        ("vendor_id=\(seller)&count=some", 1_200, "\"hasNext\":true"),
        ("in_stock=1&sort=cheapest", 1_200, "\"lastPage\":60"),
      ] {
        let answer = await market.send(.get, "/api/products?" + query)
        #expect(answer.text.contains("\"totalCount\":\(count),"), "\(query)")
        #expect(answer.text.contains(words), "\(query)")
      }
    }
  }

  @Test func `a parameter that cannot be read is named`() async throws {
    let market = try await ServedStore()

    let answer = await market.send(.get, "/api/products?min_price=cheap")

    #expect(answer.status == .badRequest && answer.text.contains("min_price"))
  }

  @Test func `what a later client asks for is ignored in a list, and else not found`()
    async throws
  {
    let market = try await ServedStore()
    _ = try await market.store.register(.sample(name: "Lamp"))

    let plain = await market.send(.get, "/api/products?search_value=lamp")
    let later = await market.send(.get, "/api/products?search_value=lamp&near_to=seoul&reports=1")

    #expect(later.text == plain.text && plain.text.contains("\"Lamp\""))
    await expect(market.send(.post, "/api/uploads").status, .notFound)
  }

  @Test func `a page that is known is answered again without being found out`() async throws {
    let market = try await ServedStore()
    let request = ServerRequest(.get, "/api/products", from: RemoteClient(address: "192.0.2.1"))

    #expect(market.responder.immediateResponse(to: request) == nil)
    let first = await market.responder.response(to: request)

    expect(market.responder.immediateResponse(to: request)?.message, first.message)
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

    expect(again.status, .notModified)
    #expect(again.body.isEmpty)
    expect(again.headers[HeaderName.entityTag], tag)
  }

  @Test func `a picture in a damaged file is no trouble that passes`() async throws {
    let market = try await ServedStore()
    let file = PictureFile.jpeg() + [UInt8](repeating: 0x5A, count: 100_000)
    let picture = try await market.store.register(.sample(pictures: [file])).pictures[0]
    try market.damage(pagesOf: 0x5A)

    let address = PictureAddress(locator: picture.original, rendition: .original)
    let answer = await ServedStore.send(address.path, to: try await market.anotherServer())

    expect(answer.status, .internalServerError)
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
    expect(answer.body, file)
    expect(answer.headers[HeaderName.contentType], "image/jpeg")
    expect(answer.headers[HeaderName.cacheControl]?.contains("immutable"), true)
    let thumbnail = await market.send(.get, String(small.dropFirst(prefix.count)))
    expect(thumbnail.body, Array(file.prefix(16)))
  }

  @Test func `a picture that is known is not sent again, and one that is not there is not found`()
    async throws
  {
    let market = try await ServedStore()
    let picture = try #require(try await market.store.register(.sample()).pictures.first)
    let target = PictureAddress(locator: picture.original, rendition: .original).path
    let tag = try #require(await market.send(.get, target).headers[HeaderName.entityTag])

    let known = await market.send(.get, target, headers: [HeaderName.ifNoneMatch: tag])

    expect(known.status, .notModified)
    await expect(market.send(.get, "/pictures/none/thumbnail").status, .notFound)
    await expect(market.send(.post, target).status, .methodNotAllowed)
  }

  @Test(arguments: ["a b", "market.example/path", "market.example\"><script>", ""])
  func `a host that is none is refused`(_ host: String) async throws {
    let market = try await ServedStore()

    let answer = await market.send(.get, "/api/products", headers: ["Host": host])

    expect(answer.status, .badRequest)
  }

  @Test func `pictures are where the client found the server`() async throws {
    let market = try await ServedStore()
    _ = try await market.store.register(.sample())

    let one = await market.send(.get, "/api/products", headers: ["Host": "one.example:8080"])
    let other = await market.send(.get, "/api/products", headers: ["Host": "[::1]:80"])

    #expect(one.text.contains("\"http://one.example:8080/pictures/"))
    #expect(other.text.contains("\"http://[::1]:80/pictures/"))
  }

  @Test func `many who ask for one page at a time cause one search`() async throws {
    let market = try await ServedStore()
    _ = try await market.store.register(.sample())
    let responder = market.responder
    let request = ServerRequest(.get, "/api/products", from: RemoteClient(address: "192.0.2.1"))

    let answers = await withTaskGroup(of: ServerResponse.self) { group in
      for _ in 1...50 { group.addTask { await responder.response(to: request) } }
      return await group.reduce(into: []) { $0.append($1) }
    }

    #expect(answers.allSatisfy { $0 === answers[0] })
  }

  @Test func `a list shows no text of another time than its products`() async throws {
    let market = try await ServedStore()
    let lamp = try await market.store.register(.sample(name: "Lamp"))
    let chair = try await market.store.register(.sample(name: "Chair"))
    let interrupted = InterruptedMarket(market.store) { store throws(RepositoryError) in
      _ = try await store.delete(lamp.id, password: Password("secret"), by: .guest)
      _ = try await store.update(
        chair.id, with: ProductPatch(name: "Stool", description: "It does not."),
        password: Password("secret"), by: .guest, expecting: nil)
    }

    let options = MarketResponder.Options(
      publicAddress: .fixed("https://market.example"), now: { 1_750_000_000 })
    let answer = await ServedStore.send(
      "/api/products", to: MarketResponder(interrupted, options))

    let products = try #require(try answer.json["pages"]?.elements)
    expect(products.map { $0["name"]?.string }, ["Stool"])
    expect(products.map { $0["description"]?.string }, ["It does not."])
  }
}
