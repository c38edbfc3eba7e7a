import Expectations
import MarketAPI
import MarketClient
import MarketModel
import Synchronization
import TestSupport
import Testing

struct HTTPProductRepositoryTests {
  @Test(arguments: RepositoryContract.casesOfTheWire)
  func `in front of our own server it keeps the contract`(
    _ contract: RepositoryContract
  ) async throws {
    try await contract.run(on: SoleSeller(MarketUnderTest(.extended).repository))
  }

  // MARK: Finding the dialect

  @Test(
    arguments: [
      (WireMarket.Kind.items, nil, RepositoryCapabilities.Paging.number, true, false),
      (.products2022, nil, .number, false, false), (.products2023, nil, .number, false, true),
      (.extended, nil, .cursor, true, true), (.items, .items, .number, true, false),
      (.products2022, .products2022, .number, false, false),
      (.extended, .products2023, .cursor, true, true),
    ] as [(WireMarket.Kind, WireMarket.Kind?, RepositoryCapabilities.Paging, Bool, Bool)])
  func `a server shows what it can do`(
    _ kind: WireMarket.Kind, _ spoken: WireMarket.Kind?, _ paging: RepositoryCapabilities.Paging,
    _ changesPictures: Bool, _ searches: Bool
  ) async throws {
    let test = try MarketUnderTest(kind, count: 1, speaking: spoken)

    let capabilities = try await test.repository.capabilities()

    expect(capabilities.paging, paging)
    expect(capabilities.changesPictures, changesPictures)
    expect(capabilities.searches, searches)
  }

  @Test(
    arguments: [
      ("1", nil, []), ("1", "orders, words", [.orders, .words]), ("1", "pages", [.pages]),
      ("1", "sale, reports-2, questions", [.sale, .questions]), (nil, "orders", []), (nil, nil, []),
    ] as [(String?, String?, Set<ServerCapability>)])
  func `what a server announces decides what it is asked, also when it is remembered`(
    extensions: String?, words: String?, announced: Set<ServerCapability>
  ) async throws {
    let folder = try TemporaryFolder()
    let server = WireMarket(.extended, InMemoryProductRepository(count: 1))
    let transport = FakeTransport { request in
      var answer = await server.response(to: request)
      answer.headers[HeaderName.extensions] = extensions
      answer.headers[HeaderName.capabilities] = words
      return answer
    }
    let cache = ResponseCache(at: folder.path(of: "cache.sqlite"))
    let repository = try HTTPProductRepository(over: .test(transport), cache: cache)

    let capabilities = try await repository.capabilities()

    var known = ProductsDialect(variant: .y2023).capabilities(announced: announced)
    known.publicAddress = announced.contains(.pages) ? WebAddress("http://market.example/") : nil
    expect(capabilities, known)
    await expect(repository.cachedCapabilities(), capabilities)
  }

  @Test(
    arguments: [
      ([.sale], [.category, .condition, .place, .reserved]), ([.questions], [.questionsClosed]),
      ([], []),
    ] as [(Set<ServerCapability>, [ProductField])])
  func `nothing is sent that a server does not have, and what it would drop is an error`(
    missing: Set<ServerCapability>, lacking: [ProductField]
  ) async throws {
    let repository = try repository(lacking: missing)
    var registration = ProductRegistration.sample(name: "Bike")
    for field in ProductField.allCases where !field.isInEveryMarket {
      registration.set([field: FieldSample[field].value].compactMapValues(\.self))
    }

    var refused: RepositoryError?
    do {
      _ = try await repository.register(registration)
    } catch {
      refused = error as? RepositoryError
    }
    let plain = try await repository.register(.sample(name: "Plain"))

    let problems = lacking.map { FieldError($0, .lacking) }
    expect(refused, lacking.isEmpty ? nil : .invalid(problems))
    let capabilities = try await repository.capabilities()
    expect(capabilities.lackingFields, Set(lacking))
    let later: [QueryPart] = [
      .choice(.category), .choice(.condition), .place, .filter(.available), .filter(.reserved),
    ]
    #expect(later.allSatisfy { capabilities.offers($0) == !missing.contains(.sale) })
    // Which rows tell.
    #expect(capabilities.offers(.filter(.sold)))
    for field in lacking {
      var patch = ProductPatch(stock: 2)
      patch.set([field: FieldSample[field].value].compactMapValues(\.self))
      await #expect(throws: RepositoryError.invalid([FieldError(field, .lacking)])) {
        try await repository.update(
          plain.id, with: patch, password: Password("secret"), by: .guest, expecting: nil)
      }
    }
  }

  @Test(
    arguments: [
      ("1", "%EB%B2%BC%EB%A3%A9%20%1B", "벼룩 \u{1B}"), (nil, "Flea", nil), ("1", "", nil),
      ("1", String(repeating: "%41", count: 5_000), String(repeating: "A", count: 60)),
      ("1", "%FF%zz", "\u{FFFD}%zz"),
    ] as [(String?, String, String?)])
  func `the name of a market is known to later runs, bounded and of our servers alone`(
    extensions: String?, said: String, name: String?
  ) async throws {
    let folder = try TemporaryFolder()
    let server = WireMarket(.extended, InMemoryProductRepository(count: 1))
    let transport = FakeTransport { request in
      var answer = await server.response(to: request)
      answer.headers[HeaderName.extensions] = extensions
      answer.headers[HeaderName.marketName] = said
      return answer
    }
    let repository = try HTTPProductRepository(
      over: .test(transport), cache: ResponseCache(at: folder.path(of: "cache.sqlite")))

    try await expect(repository.capabilities().marketName, name)
    await expect(repository.cachedCapabilities()?.marketName, name)
  }

  @Test func `the announced address of a market is known to later runs, also without the market`()
    async throws
  {
    let folder = try TemporaryFolder()
    let server = WireMarket(.extended, InMemoryProductRepository(count: 1))
    let transport = FakeTransport { request in
      var answer = await server.response(to: request)
      answer.headers.announce("http://market.example/shop")
      return answer
    }
    let path = folder.path(of: "cache.sqlite")
    let first = try HTTPProductRepository(
      over: .test(transport), cache: ResponseCache(at: path))
    let address = try await first.capabilities().publicAddress
    let asked = transport.hops.count

    let later = try HTTPProductRepository(
      over: .test(transport), cache: ResponseCache(at: path))

    expect(address?.text, "http://market.example/shop")
    await expect(later.cachedCapabilities()?.publicAddress, address)
    expect(transport.hops.count, asked)
  }

  @Test(
    arguments: [
      ("0123456789abcdef0123456789abcdef", true), ("0123456789ABCDEF0123456789ABCDEF", false),
      ("0123456789abcdef0123456789abcde", false), ("", false), (nil, false),
      ("../../../../../../../../../../etc", false),
      ("０123456789abcdef0123456789abcdef", false),
    ] as [(String?, Bool)])
  func `the id that a server says is taken where it is one, and nothing is asked for it`(
    text: String?, isID: Bool
  ) async throws {
    let server = WireMarket(.extended, InMemoryProductRepository(count: 1))
    let transport = FakeTransport { request in
      var answer = await server.response(to: request)
      answer.headers[HeaderName.marketID] = text
      return answer
    }
    let repository = try HTTPProductRepository(over: .test(transport))
    #expect(repository.marketID() == nil && transport.hops.isEmpty)

    _ = try await repository.page(PageRequest())

    let asked = transport.hops.count
    expect(repository.marketID()?.text, isID ? text : nil)
    expect(transport.hops.count, asked)
  }

  @Test func `a search on a server of ours asks how exact its count is`() async throws {
    let test = try MarketUnderTest(.extended, count: 3)

    let query = ProductQuery(text: "product", sellers: [Seller.guest.id])
    _ = try await test.repository.page(PageRequest())
    _ = try await test.repository.page(PageRequest(query: query))
    _ = try await test.repository.page(PageRequest(query: ProductQuery(currency: .krw)))

    expect(
      test.transport.hops.suffix(3).map { $0.address.target.dropFirst("/api/products".count) },
      [
        "?page_no=1&items_per_page=20",
        "?page_no=1&items_per_page=20&search_value=product&vendor_id=0&count=some",
        "?page_no=1&items_per_page=20&currency=KRW&count=some",
      ])
  }

  @Test func `only a server of ours is asked for the exact count of a search`() async throws {
    let (own, foreign) = (
      try MarketUnderTest(.extended, count: 3), try MarketUnderTest(.products2023, count: 3)
    )
    let query = ProductQuery(text: "product")

    for test in [own, foreign] {
      _ = try await test.repository.capabilities()
      _ = try await test.repository.page(PageRequest(query: query, countsExactly: true))
      _ = try await test.repository.total(of: query)
    }

    let asked = [own, foreign].map { $0.transport.hops.suffix(2).map(\.address.target) }
    #expect(asked[0].allSatisfy { $0.hasSuffix("&search_value=product&count=exact") })
    #expect(asked[1].allSatisfy { $0.hasSuffix("&search_value=product") })
  }

  @Test func `a server that tells no count is not asked for it`() async throws {
    let market = WireMarket(
      [ProductsDialect(variant: .y2023)],
      announcing: Set(ServerCapability.allCases).subtracting([.cursors]),
      InMemoryProductRepository(count: 3))
    let transport = FakeTransport { await market.response(to: $0) }
    let repository = try HTTPProductRepository(over: .test(transport))

    let page = try await repository.page(
      PageRequest(query: ProductQuery(text: "product"), size: 2, countsExactly: true))

    expect(page.products.count, 2)
    expect(transport.hops.last?.address.target.contains("count"), false)
  }

  @Test func `a server without versions is asked before an edit, and by the way of all servers`()
    async throws
  {
    let repository = try repository(lacking: [.versions, .contact, .questions, .changes])
    let password = Password("secret")

    let made = try await repository.register(.sample(name: "Mug"))
    try await repository.verify(password, for: made.id, by: author)
    let changed = try await repository.update(
      made.id, with: ProductPatch(name: "Cup"), password: password, by: author,
      expecting: made.version)

    expect(changed.product.name, "Cup")
    await #expect(throws: RepositoryError.unsupported) {
      try await repository.rename(SellerIdentifier(secret: "abc"), to: "Hana")
    }
    await #expect(throws: RepositoryError.unsupported) {
      try await repository.questions(QuestionsRequest(.product(made.id)))
    }
    await #expect(throws: RepositoryError.unsupported) {
      try await repository.update(
        made.id, with: ProductPatch(pictures: .list([.new(PictureFile.jpeg(2))])),
        password: password, by: author, expecting: nil)
    }
  }

  @Test func `what a later server adds to its answers is passed over`() async throws {
    let server = WireMarket(.extended, InMemoryProductRepository(count: 3))
    let transport = FakeTransport { request in
      var answer = await server.response(to: request)
      answer.headers[HeaderName.capabilities]? += ", reports, uploads;limit=10"
      answer.headers["Market-Reports"] = "5"
      if answer.body.starts(with: "{".utf8) {
        answer.body.replaceSubrange(0..<1, with: "{\"reports\":[{\"reason\":\"fraud\"}],".utf8)
      }
      return answer
    }
    let repository = try HTTPProductRepository(over: .test(transport))

    let page = try await repository.page(PageRequest(query: ProductQuery(text: "product")))
    let detail = try await repository.detail(of: Product.ID(rawValue: 2))

    var known = ProductsDialect(variant: .y2023)
      .capabilities(announced: Set(ServerCapability.allCases))
    known.publicAddress = WebAddress("http://market.example/")
    try await expect(repository.capabilities(), known)
    #expect(page.total == .exactly(3) && page.products.count == 3)
    #expect(detail.version != nil)
  }

  @Test(arguments: [WireMarket.Kind.items, .products2022, .products2023])
  func `a server of others is asked for nothing that it would leave out`(
    kind: WireMarket.Kind
  ) async throws {
    let test = try MarketUnderTest(kind, count: 3)
    _ = try await test.repository.capabilities()
    let count = test.transport.hops.count

    for query in [
      ProductQuery(filters: [.inStock]), ProductQuery(order: .cheapest),
      ProductQuery(text: "product", price: PriceRange(minimum: 1)),
    ] {
      await #expect(throws: RepositoryError.unsupported) {
        try await test.repository.page(PageRequest(query: query))
      }
      try await expect(test.repository.total(of: query), .unknown)
    }

    expect(test.transport.hops.count, count)
  }

  @Test func `no products by their numbers are asked for without a request`() async throws {
    let test = try MarketUnderTest(.extended, count: 3)
    _ = try await test.repository.capabilities()
    let count = test.transport.hops.count

    let page = try await test.repository.page(PageRequest(query: ProductQuery(ids: [])))

    #expect(page == .nothing && test.transport.hops.count == count)
  }

  @Test func `the dialect is looked for once`() async throws {
    let test = try MarketUnderTest(.items, count: 1)

    _ = try await test.repository.page(PageRequest())
    _ = try await test.repository.page(PageRequest())

    expect(
      test.transport.hops.map(\.address.target),
      [
        "/api/products?page_no=1&items_per_page=20", "/items/1", "/items/1",
      ])
  }

  @Test func `the first page itself finds out what a server is`() async throws {
    let test = try MarketUnderTest(.extended, count: 3)

    let page = try await test.repository.page(PageRequest(size: 7))
    _ = try await test.repository.capabilities()

    expect(page.products.count, 3)
    expect(
      test.transport.hops.map(\.address.target), ["/api/products?page_no=1&items_per_page=7"])
  }

  @Test func `calls at once ask what a server is once`() async throws {
    let test = try MarketUnderTest(.products2023, count: 3)
    let repository = test.repository

    async let capabilities = repository.capabilities()
    async let first = repository.page(PageRequest())
    async let second = repository.capabilities()
    _ = try await (capabilities, first, second)

    expect(
      test.transport.hops.map(\.address.target), ["/api/products?page_no=1&items_per_page=20"])
  }

  /// Statuses that a server fails with before it works.
  private final class Failures: Sendable {
    private let statuses: Mutex<[Int]>

    init(_ statuses: [Int]) { self.statuses = Mutex(statuses) }

    func next() -> Int? { statuses.withLock { $0.isEmpty ? nil : $0.removeFirst() } }

    func end() { statuses.withLock { $0 = [] } }
  }

  /// A server of both generations, whose products API answers with these before it works.
  private func failing(_ statuses: [Int]) -> (FakeTransport, Failures) {
    let market = InMemoryProductRepository(Product.samples(1...3).map { .sample(of: $0) })
    let server = WireMarket(
      [ProductsDialect(variant: .y2023), ItemsDialect()],
      announcing: Set(ServerCapability.allCases), market)
    let left = Failures(statuses)
    let transport = FakeTransport { request in
      if request.target.path.hasPrefix("/api/"),
        let status = left.next()
      {
        return HTTPResponse(HTTPStatus(rawValue: status))
      }
      return await server.response(to: request)
    }
    return (transport, left)
  }

  @Test(arguments: [[500], [502, 503], [408, 429], [425], [504, 599]])
  func `a failing answer makes no server an old one`(_ statuses: [Int]) async throws {
    let (transport, _) = failing(statuses)
    let repository = try HTTPProductRepository(over: .test(transport))

    let page = try await repository.page(PageRequest())

    #expect(page.products.count == 3 && repository.dialectName == "2023")
    #expect(!transport.hops.contains { $0.address.target.hasPrefix("/items/") })
    expect(transport.hops.count, statuses.count + 1)
  }

  @Test func `a server that fails on is taken for an old one until it works`() async throws {
    let (transport, left) = failing(Array(repeating: 503, count: 100))
    let repository = try HTTPProductRepository(over: .test(transport))

    _ = try await repository.page(PageRequest())
    let old = repository.dialectName
    try await expect(repository.capabilities().isProvisional, true)
    _ = try await repository.detail(of: Product.ID(rawValue: 1))
    let count = transport.hops.count
    // Each first page asks once whether it works.
    _ = try await repository.page(PageRequest())
    let stillOld = repository.dialectName
    left.end()
    _ = try await repository.page(PageRequest())

    #expect(old == "2021" && stillOld == "2021")
    expect(
      transport.hops.dropFirst(count).map(\.address.target),
      [
        "/api/products?page_no=1&items_per_page=20", "/items/1",
        "/api/products?page_no=1&items_per_page=20",
      ])
    try await expect(repository.capabilities().isProvisional, false)
    expect(repository.dialectName, "2023")
  }

  @Test func `what a server was is kept, and asked for first`() async throws {
    let folder = try TemporaryFolder()
    func hops(_ server: MarketUnderTest) async throws -> [String] {
      _ = try await server.repository.page(PageRequest())
      return server.transport.hops.map(\.address.target)
    }
    let cache = ResponseCache(at: folder.path(of: "cache.sqlite"))
    _ = try await hops(try MarketUnderTest(.items, count: 1, cache: cache))

    let again = try await hops(try MarketUnderTest(.items, count: 1, cache: cache))

    expect(again.first, "/items/1")
  }

  @Test func `a market that was known and fails is no old one`() async throws {
    let folder = try TemporaryFolder()
    let cache = ResponseCache(at: folder.path(of: "cache.sqlite"))
    let (working, _) = failing([])
    _ = try await HTTPProductRepository(over: .test(working), cache: cache).page(PageRequest())
    let (transport, _) = failing([500, 500, 500])

    await #expect(throws: RepositoryError.badAnswer(.status(500))) {
      try await HTTPProductRepository(over: .test(transport), cache: cache).page(PageRequest())
    }
    #expect(!transport.hops.contains { $0.address.target.hasPrefix("/items/") })
  }

  @Test(arguments: ["<!doctype html><title>hello</title>", "", "null", "[]", "{}", "{\"items\":3}"])
  func `what answers but is no market is called so`(_ body: String) async throws {
    let transport = FakeTransport { _ in HTTPResponse(.ok, body: Array(body.utf8)) }
    let repository = try HTTPProductRepository(over: .test(transport))

    await #expect(throws: RepositoryError.badAnswer(.notAMarket)) {
      try await repository.page(PageRequest())
    }
  }

  @Test func `a server in trouble may be a market, and says its trouble`() async throws {
    let transport = FakeTransport { request in
      HTTPResponse(request.target.path.hasPrefix("/api/") ? .notFound : .internalServerError)
    }
    let repository = try HTTPProductRepository(over: .test(transport))

    await #expect(throws: RepositoryError.badAnswer(.status(500))) {
      try await repository.page(PageRequest())
    }
  }

  @Test(arguments: [
    (TransportError.libraryMissing, RepositoryError.unreachable(.libraryMissing)),
    (.nameNotFound, .unreachable(.nameNotFound)), (.timedOut, .unreachable(.timedOut)),
    (.insecure, .unreachable(.insecure)), (.tooLarge, .badAnswer(.tooLarge)),
    (.malformed, .badAnswer(.unreadable)), (.cancelled, .cancelled),
  ])
  func `a failure of the network becomes one of the repository`(
    _ error: TransportError, _ expected: RepositoryError
  ) async throws {
    let transport = FakeTransport { _, _ throws(TransportError) in throw error }
    let repository = try HTTPProductRepository(over: .test(transport))

    await #expect(throws: expected) { try await repository.capabilities() }
  }

  // MARK: Every generation

  @Test(arguments: WireMarket.Kind.allCases)
  func `all pages together hold each product once`(_ kind: WireMarket.Kind) async throws {
    let test = try MarketUnderTest(kind, count: 45)

    let products = try await test.allProducts()

    expect(Set(products.map(\.id.rawValue)), Set(1...45))
    expect(products.count, 45)
  }

  @Test(arguments: WireMarket.Kind.allCases)
  func `a product is registered, changed and deleted`(_ kind: WireMarket.Kind) async throws {
    let test = try MarketUnderTest(kind)
    let password = Password("secret")

    let made = try await test.repository.register(.sample(name: "Mug"))
    try await test.repository.verify(password, for: made.id, by: author)
    let changed = try await test.repository.update(
      made.id, with: ProductPatch(name: "Cup"), password: password, by: author,
      expecting: made.version)
    let deleted = try await test.repository.delete(made.id, password: password, by: author)

    expect(made.product.name, "Mug")
    expect(changed.product.name, "Cup")
    expect(deleted.id, made.id)
    #expect(try await test.allProducts().isEmpty)
  }

  @Test(arguments: WireMarket.Kind.allCases)
  func `a wrong password is told apart from a missing product`(
    _ kind: WireMarket.Kind
  ) async throws {
    let test = try MarketUnderTest(kind)
    let made = try await test.repository.register(.sample())
    let wrong = Password("wrong")
    let missing = Product.ID(rawValue: 77)

    await #expect(throws: RepositoryError.wrongPassword) {
      try await test.repository.verify(wrong, for: made.id, by: author)
    }
    await #expect(throws: RepositoryError.wrongPassword) {
      try await test.repository.delete(made.id, password: wrong, by: author)
    }
    await #expect(throws: RepositoryError.notFound) {
      try await test.repository.verify(wrong, for: missing, by: author)
    }
    await #expect(throws: RepositoryError.notFound) {
      try await test.repository.delete(missing, password: wrong, by: author)
    }
  }

  @Test(arguments: WireMarket.Kind.allCases)
  func `an edit of what someone else has changed is a conflict`(
    _ kind: WireMarket.Kind
  ) async throws {
    let test = try MarketUnderTest(kind)
    let read = try await test.repository.register(.sample(stock: 3))
    _ = try await test.market.update(
      read.id, with: ProductPatch(stock: 1), password: Password("secret"), by: .guest,
      expecting: nil)
    let current = try await test.repository.detail(of: read.id)

    await #expect(throws: RepositoryError.conflict(current: current)) {
      try await test.repository.update(
        read.id, with: ProductPatch(name: "Cup"), password: Password("secret"), by: author,
        expecting: read.version)
    }
    try await expect(test.market.detail(of: read.id).product.name, "Bicycle")
  }

  @Test(arguments: WireMarket.Kind.allCases)
  func `a registration whose answer was lost is not made twice`(
    _ kind: WireMarket.Kind
  ) async throws {
    let test = try MarketUnderTest(kind, count: 45)
    let key = IdempotencyKey(rawValue: "one intent")
    test.losesAnswers.set(true)
    await #expect(throws: RepositoryError.unreachable(.disconnected)) {
      try await test.repository.register(.sample(name: "Mug"), by: author, key: key)
    }
    test.losesAnswers.set(false)

    let made = try await test.repository.register(.sample(name: "Mug"), by: author, key: key)

    expect(made.product.name, "Mug")
    try await expect(test.allProducts().count, 46)
  }

  @Test(arguments: WireMarket.Kind.allCases)
  func `the same thing can be registered twice on purpose`(_ kind: WireMarket.Kind) async throws {
    let test = try MarketUnderTest(kind)

    _ = try await test.repository.register(.sample(name: "Mug"))
    _ = try await test.repository.register(.sample(name: "Mug"))

    try await expect(test.allProducts().count, 2)
  }

  // MARK: What some servers cannot do

  @Test func `servers of products of others take no other pictures`() async throws {
    let test = try MarketUnderTest(.products2023)
    let made = try await test.repository.register(.sample())

    await #expect(throws: RepositoryError.unsupported) {
      try await test.repository.update(
        made.id, with: ProductPatch(pictures: .list([.new(PictureFile.jpeg(2))])),
        password: Password("secret"), by: author, expecting: nil)
    }
  }

  @Test func `servers of others know no sellers`() async throws {
    let test = try MarketUnderTest(.items, count: 1)

    await #expect(throws: RepositoryError.unsupported) {
      try await test.repository.rename(SellerIdentifier(secret: "abc"), to: "Hana")
    }
  }

  @Test func `a server that deletes in the way of the other year is met`() async throws {
    let test = try MarketUnderTest(.products2022, speaking: .products2023)
    let made = try await test.repository.register(.sample())

    let deleted = try await test.repository.delete(
      made.id, password: Password("secret"), by: author)

    expect(deleted.id, made.id)
  }

  /// A repository in front of a server of ours that lacks some of our additions.
  private func repository(
    lacking missing: Set<ServerCapability>
  ) throws -> HTTPProductRepository {
    let market = WireMarket(
      [ProductsDialect(variant: .y2023)],
      announcing: Set(ServerCapability.allCases).subtracting(missing),
      InMemoryProductRepository(count: 1))
    return try HTTPProductRepository(
      over: .test(FakeTransport { await market.response(to: $0) }))
  }

  private let author = Author.seller(SellerIdentifier(secret: "00000000-0000-0000-0000-00a"))
}

extension ProductRepository {
  fileprivate func register(_ registration: ProductRegistration) async throws -> ProductDetail {
    try await register(
      registration, by: .seller(SellerIdentifier(secret: "00000000-0000-0000-0000-00a")),
      key: IdempotencyKey(rawValue: String(UInt64.random(in: .min ... .max))))
  }
}
