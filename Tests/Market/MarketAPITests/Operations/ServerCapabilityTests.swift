import Expectations
import MarketAPI
import MarketModel
import Testing

struct ServerCapabilityTests {
  private static let all = Set(ServerCapability.allCases)
  private let products = ProductsDialect(variant: .y2023)
  /// Parts on fields that only servers with our additions have.
  private let partsOfAdditions = QueryPart.allCases.filter { $0.field?.isInEveryMarket == false }

  // MARK: Announcing

  @Test(
    arguments: [
      (nil, nil, []), ("1", nil, []), ("1", "", []), ("1", "orders", [.orders]),
      ("1", "words,phrases ,\t cursors,,", [.words, .phrases, .cursors]),
      ("1", "reports-2, orders, sale-2, uploads;n=1", [.orders]), ("1", "Orders", []),
      ("2", "orders", []), (nil, "orders", []),
    ] as [(String?, String?, Set<ServerCapability>)])
  func `what is announced is read, and an unknown word is ignored`(
    extensions: String?, words: String?, capabilities: Set<ServerCapability>
  ) {
    var headers = HTTPHeaders()
    headers["market-extensions"] = extensions
    headers["market-capabilities"] = words

    expect(headers.capabilities, capabilities)
  }

  @Test func `a list in two headers is one`() {
    let headers: HTTPHeaders = [
      "Market-Extensions": "1", "Market-Capabilities": "orders", "market-capabilities": "words",
    ]

    expect(headers.capabilities, [.orders, .words])
  }

  @Test(
    arguments: [[], all] + ServerCapability.allCases.map { [$0] as Set<ServerCapability> })
  func `what one announces the other reads`(capabilities: Set<ServerCapability>) {
    var headers = HTTPHeaders()
    headers.announce([.orders])
    headers.announce(capabilities)

    expect(headers.capabilities, capabilities)
  }

  @Test func `the words are those of the documents`() {
    expect(
      ServerCapability.words(of: Self.all),
      "orders, filters, words, phrases, cursors, versions, idempotency, changes, pages, sale, "
        + "questions, contact, reports, uploads")
  }

  // MARK: Other headers

  @Test(
    arguments: [
      (nil, "http://a.example/m"), ("http://a.example/shop/", "http://a.example/shop"),
      ("http://a.example:80", "http://a.example/"), ("https://a.example/", "http://a.example/m"),
      ("http://evil.example/", "http://a.example/m"), ("http://a.example:81", "http://a.example/m"),
      ("http://u@a.example/", "http://a.example/m"), ("nonsense", "http://a.example/m"),
    ] as [(String?, String)])
  func `an announced address counts at the origin that was asked, else that is the address`(
    announced: String?, address: String
  ) throws {
    var headers: HTTPHeaders = ["Market-Extensions": "1"]
    if let announced { headers.announce(announced) }

    let asked = try #require(WebAddress("http://a.example/m/?x=1"))
    expect(headers.publicAddress(askedAt: asked)?.text, address)
  }

  @Test(arguments: ["1", "2", nil])
  func `the headers of a market are read wherever additions are announced`(
    extensions: String?
  ) throws {
    var headers: HTTPHeaders = [
      "Market-Id": "0123456789abcdef0123456789abcdef", "Market-Position": "c8",
      "Market-Name": "Flea", "Market-Storage": "https://s.example",
    ]
    headers["Market-Extensions"] = extensions
    let asked = try #require(WebAddress("http://a.example"))

    let isRead = [
      headers.marketID != nil, headers.marketPosition != nil, headers.marketName != nil,
      headers.pictureStorage != nil, headers.publicAddress(askedAt: asked) != nil,
    ]
    expect(isRead, Array(repeating: extensions == "1", count: 5))
  }

  // MARK: What a client offers

  @Test(arguments: ProductsDialect.Variant.allCases)
  func `all capabilities are those of our stores`(variant: ProductsDialect.Variant) {
    var stored = RepositoryCapabilities.full
    stored.passwordTries = Int(PasswordAttempts.freeCount)
    // A form on a store has no server to which a telephone could send photos.
    stored.takesUploads = true

    expect(ProductsDialect(variant: variant).capabilities(announced: Self.all), stored)
  }

  @Test(arguments: ServerCapability.allCases)
  func `a capability that is missing takes away what it stands for, and nothing else`(
    missing: ServerCapability
  ) {
    let all = products.capabilities(announced: Self.all)
    let other = products.capabilities(announced: Self.all.subtracting([missing]))

    var expected = all
    switch missing {
    case .orders: expected.orders = [.newest]
    case .filters:
      expected.parts.subtract([.inStock, .reduced, .seller, .price, .currency, .since, .ids])
      expected.scannable = [.inStock, .reduced, .seller, .price, .currency, .since]
    case .words:
      expected.parts.subtract([.words, .without])
      expected.scannable = [.words, .without]
    case .phrases:
      expected.parts.remove(.phrases)
      expected.scannable = [.phrases]
    case .cursors: expected.paging = .number
    case .versions: (expected.hasVersions, expected.changesPictures) = (false, false)
    case .idempotency: expected.isIdempotent = false
    case .uploads: expected.takesUploads = false
    case .sale:
      expected.parts.subtract(partsOfAdditions + [.filter(.sold)])
      // Rows tell what is sold.
      expected.scannable = [.filter(.sold)]
      expected.lackingFields = [.category, .condition, .place, .reserved]
    case .questions: (expected.hasQuestions, expected.lackingFields) = (false, [.questionsClosed])
    case .reports: expected.hasReports = false
    case .changes, .pages, .contact: break
    }
    expect(other, expected)
  }

  @Test(
    arguments: [[], all] + ServerCapability.allCases.map { [$0] as Set<ServerCapability> })
  func `no list answers or offers a part on a field that it lacks`(
    announced: Set<ServerCapability>
  ) {
    for capabilities in [
      products.capabilities(announced: announced),
      ItemsDialect().capabilities(announced: announced),
    ] {
      let offered = QueryPart.allCases.filter(capabilities.offers).compactMap(\.field)

      #expect(capabilities.lackingFields.isDisjoint(with: offered))
      #expect(capabilities.parts.isDisjoint(with: capabilities.scannable))
    }
  }

  @Test(arguments: ProductsDialect.Variant.allCases)
  func `a server without a list is one of others`(variant: ProductsDialect.Variant) {
    let capabilities = ProductsDialect(variant: variant).capabilities(announced: [])

    expect(capabilities.parts, variant == .y2023 ? [.words] : [])
    expect(QueryPart.allCases.filter { !capabilities.offers($0) }, partsOfAdditions + [.ids])
    #expect(capabilities.orders == [.newest] && capabilities.paging == .number)
    #expect(!capabilities.hasVersions && !capabilities.isIdempotent && !capabilities.hasQuestions)
    expect(capabilities.passwordTries, nil)
  }

  @Test func `rows of v1 have no seller to sift by`() {
    let capabilities = ItemsDialect().capabilities(announced: [])

    expect(
      QueryPart.allCases.filter { !capabilities.offers($0) }, partsOfAdditions + [.seller, .ids])
  }

  @Test func `v1 carries the fields of our additions`() {
    let capabilities = ItemsDialect().capabilities(announced: Self.all)

    #expect(capabilities.lackingFields == [] && capabilities.passwordTries != nil)
    #expect(capabilities.parts == [] && capabilities.paging == .number)
  }
}
