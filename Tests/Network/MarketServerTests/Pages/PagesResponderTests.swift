import Expectations
import HTTPTestSupport
import MarketAPI
import MarketModel
import MarketServer
import MarketStore
import StoreCore
import TestSupport
import Testing

struct PagesResponderTests {
  private static let browser: HTTPHeaders = [
    HeaderName.accept: "text/html,application/xhtml+xml,*/*;q=0.8", "Accept-Language": "en",
    "Host": "market.example",
  ]
  private static let curl: HTTPHeaders = [
    HeaderName.accept: "*/*", "User-Agent": "curl/8.5.0", "Host": "market.example",
  ]
  private static let client: HTTPHeaders = [
    HeaderName.accept: "application/json", "Host": "market.example",
  ]
  private static let hostile = "<script>alert(1)</script>\"'\u{1B}[31m"

  @Test func `a browser gets HTML, curl text, and a client what the API answers`() async throws {
    let market = try await ServedStore()
    _ = try await market.store.register(.sample(name: "Lamp"))

    for target in ["/", "/products/1"] {
      let page = await market.page(target, Self.browser)
      let text = await market.page(target, Self.curl)
      let data = await market.page(target, Self.client)

      expect(page.headers[HeaderName.contentType], "text/html; charset=utf-8")
      expect(text.headers[HeaderName.contentType], "text/plain; charset=utf-8")
      #expect(page.text.contains("Lamp") && text.text.contains("Lamp"))
      let answer = await market.send(
        .get, "/api/products" + target.dropFirst(9), headers: Self.client)
      expect(data.body, answer.body)
    }
  }

  @Test func `previews of shared links get the page, with the size of its picture`() async throws {
    let market = try await ServedStore()
    _ = try await market.store.register(.sample(name: "Lamp"))
    let crawler: HTTPHeaders = [
      HeaderName.accept: "*/*", "User-Agent": "facebookexternalhit/1.1", "Host": "market.example",
    ]

    for target in ["/", "/products/1", "/sellers/0"] {
      let page = await market.page(target, crawler, publicURL: "https://market.example")
      let unshared = await market.page(target, crawler)

      expect(page.headers[HeaderName.contentType], "text/html; charset=utf-8")
      #expect(page.text.contains("<meta property=\"og:title\""))
      #expect(page.text.contains("<meta property=\"og:image:width\" content=\"1200\">"))
      #expect(page.text.contains("<meta property=\"og:image:height\" content=\"900\">"))
      expect(unshared.headers[HeaderName.contentType], "application/json")
    }
  }

  /// Headers that clients of old send without meaning anything by them.
  private static let accepted: [HTTPHeaders] = [
    [:], [HeaderName.accept: "*/*"],
    [
      HeaderName.accept: "*/*", "Accept-Encoding": "br;q=1.0, gzip;q=0.9, deflate;q=0.8",
      "Accept-Language": "en;q=1.0, ko-KR;q=0.9",
      "User-Agent": "Market/1.0 (iOS 15.2.0) Alamofire/5.4.4",
    ],
  ]

  @Test(arguments: OldItemsClientTests.facts + OldProductsClientTests.reading)
  func `what clients of old read is the same whatever they accept`(_ fact: ServingFact) async throws
  {
    let market = try await ServedStore(publicURL: "https://market.example")
    _ = try await market.store.register(.sample(password: "pw"))
    let request = ReceivedRequest(spelled: fact.message, picture: PictureFile.jpeg())
    guard request.method == "GET" else { return }
    let pages = market.pages(publicURL: "https://market.example")

    let plain = await market.send(spelled: fact.message)
    for headers in Self.accepted {
      let answer = await pages.answer(request.target, headers)

      expect(answer.body, plain.body)
      expect(answer.headers, plain.headers)
    }
  }

  @Test(arguments: [
    ("/?q=cat:cars", "cat:cars"), ("/?T&q=cat:cars", "cat:cars"),
    ("/feed.atom?q=cat:cars", "cat:cars"), ("/?q=%3C0.500", "0.5"),
  ])
  func `a search that cannot be read says so`(target: String, words: String) async throws {
    let market = try await ServedStore()

    let page = await market.page(target, Self.browser)

    expect(page.status, .badRequest)
    #expect(page.text.contains(words), "\(page.text)")
    #expect(!target.hasPrefix("/feed") || !page.text.contains("<html"))
  }

  @Test func `a search that finds nothing offers what the same keys type in the other mode`()
    async throws
  {
    let market = try await ServedStore()
    _ = try await market.store.register(.sample(name: "아이폰 15"))

    let page = await market.page("/?q=dkdlvhs15", Self.browser)
    let text = await market.page("/?q=dkdlvhs", Self.curl)
    let nothing = await market.page("/?q=dkdl", Self.browser)

    #expect(page.text.contains("“아이폰15”, 1 product"))
    #expect(page.text.contains("<a href=\"/?q=%EC%95%84%EC%9D%B4%ED%8F%B015\">"))
    #expect(text.text.contains("“아이폰”, 1 product"))
    #expect(!nothing.text.contains("“아이”, 0") && nothing.text.contains("“아이”, 1 product"))
  }

  @Test func `a page shows pictures of its own market, and of the storage they are sent to`()
    async throws
  {
    let market = try await ServedStore()
    let storage = try #require(WebAddress("https://storage.example:9000")).origin

    let plain = await market.pages().answer("/", Self.browser)
    let redirecting = await market.pages(storage: storage).answer("/", Self.browser)

    let policies = [plain, redirecting].map { $0.headers["Content-Security-Policy"] ?? "" }
    #expect(policies[0].contains("img-src 'self'; "))
    #expect(policies[1].contains("img-src 'self' https://storage.example:9000; "))
  }

  @Test(arguments: [
    ("en", "Too many requests or questions for now; try again in"), ("ko", "요청"),
  ])
  func `whoever searches too often is told so, and when to come back`(
    language: String, words: String
  ) async throws {
    let market = try await ServedStore(limiting: { $0.searchesPerMinute = 1 })
    let pages = market.pages(publicURL: nil)
    var headers = Self.browser
    headers["Accept-Language"] = language

    let first = await pages.answer("/?q=a", headers)
    let second = await pages.answer("/?q=b", headers)

    expect(first.status, .ok)
    expect(second.status, .tooManyRequests)
    expect(second.headers[HeaderName.retryAfter], "60")
    #expect(second.text.contains(words))
    await expect(pages.answer("/", headers).status, .ok)
    await expect(pages.answer("/?q=a", headers).status, .ok)
  }

  @Test func `a page may run nothing and is kept apart by what it depends on`() async throws {
    let market = try await ServedStore()
    _ = try await market.store.register(.sample(name: "Lamp"))

    for (target, headers) in [("/", Self.browser), ("/products/1", Self.browser), ("/", Self.curl)]
    {
      let page = await market.page(target, headers)
      expect(page.headers["Content-Security-Policy"]?.hasPrefix("default-src 'none';"), true)
      expect(page.headers["X-Content-Type-Options"], "nosniff")
      expect(page.headers["Vary"], "Accept, Accept-Language, User-Agent")
    }
  }

  @Test func `strangers' text is shown and runs nothing`() async throws {
    let market = try await ServedStore()
    _ = try await market.store.register(.sample(name: Self.hostile))

    for target in ["/", "/products/1", "/?q=%3Cscript%3E"] {
      let page = await market.page(target, Self.browser)
      #expect(!page.text.contains("<script") && !page.text.contains("\u{1B}"))
    }
    let text = await market.page("/?T", Self.curl)
    #expect(!text.text.contains("\u{1B}"))
  }

  @Test func `a page that has not changed is not sent again, and one that has is`() async throws {
    let market = try await ServedStore()
    _ = try await market.store.register(.sample(name: "Lamp"))
    let pages = market.pages()
    var headers = Self.browser
    let first = await pages.answer("/", headers)
    headers[HeaderName.ifNoneMatch] = first.headers[HeaderName.entityTag]

    let same = await pages.answer("/", headers)
    _ = try await market.store.register(.sample(name: "Chair"))
    let changed = await pages.answer("/", headers)

    #expect(same.status == .notModified && same.body.isEmpty)
    #expect(changed.status == .ok && changed.text.contains("Chair"))
  }

  @Test func `what is not there is a page for people, and what the API says for clients`()
    async throws
  {
    let market = try await ServedStore()

    for target in ["/products/7", "/sellers/7", "/nothing"] {
      let page = await market.page(target, Self.browser)
      expect(page.status, .notFound)
      expect(page.headers[HeaderName.contentType], "text/html; charset=utf-8")
    }
    let data = await market.page("/nothing", Self.client)
    expect(data.body, (await market.send(.get, "/nothing")).body)
  }

  @Test(arguments: ["/api/products", "/items/1", "/healthChecker"])
  func `what belongs to the API is the API's for a browser as well`(target: String) async throws {
    let market = try await ServedStore()

    let page = await market.page(target, Self.browser)

    expect(page.body, (await market.send(.get, target)).body)
    expect(page.headers["Content-Security-Policy"], nil)
  }

  @Test func `only a market with a public address says one, and has a site map`() async throws {
    let market = try await ServedStore()
    _ = try await market.store.register(.sample(name: "Lamp"))
    var asked = Self.browser
    asked["Host"] = "evil.example"

    let silent = await market.page("/products/1", asked)
    let named = await market.page("/products/1", asked, publicURL: "https://market.example")
    let map = await market.page("/sitemap-1.xml", asked, publicURL: "https://market.example")

    #expect(!silent.text.contains("canonical"))
    #expect(named.text.contains("https://market.example/products/1"))
    #expect(!named.text.contains("evil.example"))
    #expect(map.text.contains("<loc>https://market.example/products/1</loc>"))
    expect((await market.page("/sitemap.xml", asked)).status, .notFound)
  }

  @Test func `crawlers are kept out of searches`() async throws {
    let market = try await ServedStore()

    #expect((await market.page("/robots.txt", Self.browser)).text.contains("Disallow: /?q="))
  }
}

extension PagesResponderTests {
  private static let seller = SellerIdentifier(secret: "seller")

  /// Registers a product of the seller, with a question of another seller and its answer.
  private func ask(_ text: String, answer: String, in store: SQLiteStore) async throws {
    let id = try await store.register(
      .sample(name: "Lamp"), by: .seller(Self.seller), key: IdempotencyKey(rawValue: "p")
    ).id
    let question = try await store.ask(
      NewQuestion(text: text), about: id, by: SellerIdentifier(secret: "asker"),
      key: IdempotencyKey(rawValue: "q"))
    _ = try await store.answer(
      question.id, with: NewAnswer(text: answer), by: .seller(Self.seller), password: nil)
  }

  @Test func `a product's page shows its questions, and asks for them only where there are any`()
    async throws
  {
    let market = try await ServedStore()
    try await ask("Is it <b>there</b>?", answer: "Yes.", in: market.store)
    _ = try await market.store.register(.sample(name: "Chair"))
    let counted = InterruptedMarket(market.store, making: 0)
    let pages = market.pages(of: counted)

    let asked = await pages.answer("/products/1", Self.browser)
    let first = counted.operations.count
    let plain = await pages.answer("/products/2", Self.browser)

    #expect(asked.text.contains("Is it &lt;b&gt;there&lt;/b&gt;?") && asked.text.contains("Yes."))
    #expect(!plain.text.contains("class=\"questions\""))
    // The product, its questions, other products of its seller; guests have no such list.
    #expect(first == 3 && counted.operations.count == 4)
    _ = await pages.answer("/products/1", Self.browser)
    expect(counted.operations.count, 4)
  }

  @Test func `a page shows a question as soon as it is asked`() async throws {
    let market = try await ServedStore()
    let pages = market.pages()
    _ = try await market.store.register(.sample(name: "Lamp"))
    let before = await pages.answer("/products/1", Self.browser)

    _ = try await market.store.ask(
      NewQuestion(text: "Is it still there?"), about: Product.ID(rawValue: 1),
      by: SellerIdentifier(secret: "asker"), key: IdempotencyKey(rawValue: "q"))
    let after = await pages.answer("/products/1", Self.browser)

    #expect(!before.text.contains("Questions (1)") && after.text.contains("Questions (1)"))
    #expect(before.headers[HeaderName.entityTag] != after.headers[HeaderName.entityTag])
  }

  @Test(arguments: [HTTPMethod.get, .head])
  func `a feed that has not changed is not sent again, by its tag or by its date`(
    method: HTTPMethod
  ) async throws {
    let market = try await ServedStore()
    _ = try await market.store.register(.sample(name: "Lamp"))
    market.clock.advance(by: 60)
    let pages = market.pages()
    let first = await pages.answer("/feed.atom", [:], method)
    let tag = try #require(first.headers[HeaderName.entityTag])
    let date = try #require(first.headers[HeaderName.lastModified])

    let byTag = await pages.answer("/feed.atom", [HeaderName.ifNoneMatch: tag], method)
    let byDate = await pages.answer("/feed.atom", [HeaderName.ifModifiedSince: date], method)
    // A tag that is not known counts before a date.
    let byOther = await pages.answer(
      "/feed.atom", [HeaderName.ifNoneMatch: "\"x\"", HeaderName.ifModifiedSince: date], method)
    _ = try await market.store.register(.sample(name: "Chair"))
    let changed = await pages.answer("/feed.atom", [HeaderName.ifModifiedSince: date], method)

    expect(first.headers[HeaderName.contentType], "application/atom+xml; charset=utf-8")
    #expect(date.hasSuffix(" GMT"))
    #expect(byTag.status == .notModified && byDate.status == .notModified && byTag.body.isEmpty)
    expect(byDate.headers[HeaderName.lastModified], date)
    #expect(byOther.status == .ok && changed.status == .ok && changed.text.contains("Chair"))
  }

  @Test func `a feed is the same for browsers and programs, newest first, of any search`()
    async throws
  {
    let market = try await ServedStore()
    for (name, price) in [("Lamp", 5_000), ("Chair", 6_000), ("Red lamp", 9_000)] {
      _ = try await market.store.register(
        .sample(name: name, description: "D \(name)", price: Int64(price)))
    }
    let pages = market.pages()

    let all = await pages.answer("/feed.atom", Self.browser)
    let found = await pages.answer("/feed.atom?q=lamp+sort:price-asc", Self.client)
    let nobody = await pages.answer("/feed.atom?q=@nobody", Self.curl)
    let broken = await pages.answer("/feed.atom?after=x", Self.browser)

    let order = { (text: String) in text.matches(of: /products\/(\d)<\/id>/).map(\.output.1) }
    #expect(order(all.text) == ["3", "2", "1"] && all.text.contains("D Chair"))
    expect(order(found.text), ["3", "1"])
    #expect(nobody.status == .ok && order(nobody.text).isEmpty)
    expect(nobody.headers[HeaderName.lastModified], nil)
    expect(broken.status, .badRequest)
    expect(broken.headers[HeaderName.contentType], "text/plain; charset=utf-8")
  }

  @Test func `a feed takes a page and its texts, and is remembered`() async throws {
    let market = try await ServedStore(limiting: { $0.searchesPerMinute = 1 })
    _ = try await market.store.register(.sample(name: "Lamp"))
    let counted = InterruptedMarket(market.store, making: 0)
    let pages = market.pages(of: counted)

    for _ in 1...3 { await expect(pages.answer("/feed.atom?q=lamp", [:]).status, .ok) }
    let limited = await pages.answer("/feed.atom?q=chair", [:])

    expect(counted.operations.count, 1)
    expect(limited.status, .tooManyRequests)
  }

  @Test func `the name of a market is on its pages and in the answers of the API`() async throws {
    let market = try await ServedStore()
    var options = MarketResponder.Options(
      publicAddress: .fixed("https://market.example"), now: { 0 })
    options.marketName = "벼룩시장 &\u{1B}"
    let named = MarketResponder(market.store, options)

    let page = await market.pages(named: "벼룩시장 &\u{1B}").answer("/", Self.browser)
    let answer = await ServedStore.send("/api/products", to: named)
    let plain = await market.send(.get, "/api/products")

    #expect(page.text.contains("<title>OpenMarket · 벼룩시장 &amp;"))
    #expect(!page.text.contains("\u{1B}"))
    let header = try #require(answer.headers[HeaderName.marketName])
    #expect(header.utf8.allSatisfy { (0x21...0x7E).contains($0) })
    expect(answer.headers.marketName, options.marketName)
    expect(plain.headers[HeaderName.marketName], nil)
  }
}

extension ServedStore {
  /// Pages before what answers for the market; no picture can be drawn.
  fileprivate func pages(
    of market: (any ServedMarket)? = nil, publicURL: String? = nil,
    storage: WebAddress.Origin? = nil, named name: String? = nil
  ) -> PagesResponder {
    let clock = clock
    let otherwise = HostAndPort(host: "market.example", port: 80)
    var options = MarketResponder.Options(
      publicAddress: publicURL.map { .fixed($0) } ?? .asAsked(otherwise: otherwise),
      now: { clock.seconds })
    (options.storage, options.marketName) = (storage, name)
    let api = MarketResponder(market ?? store, options, sharing: responder.admission)
    return PagesResponder(
      PagesResponder.Options(
        decode: { _, _ in nil }, measure: { _ in PixelSize(width: 1_200, height: 900) }),
      before: api)
  }

  fileprivate func page(
    _ target: String, _ headers: HTTPHeaders, publicURL: String? = nil
  ) async -> HTTPResponse {
    await pages(publicURL: publicURL).answer(target, headers)
  }
}

extension PagesResponder {
  /// The answer as the server would give it.
  func answer(
    _ target: String, _ headers: HTTPHeaders, _ method: HTTPMethod = .get
  ) async -> HTTPResponse {
    let request = ServerRequest(
      method, target, headers: headers, from: RemoteClient(address: "192.0.2.1"))
    if let known = immediateResponse(to: request) { return known.message }
    return await response(to: request).message
  }
}
