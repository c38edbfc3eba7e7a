import MarketAPI
import MarketModel
import Testing

@Suite struct ExtensionLevelTests {
  /// What servers below the third level neither answer nor tell.
  private let laterParts = QueryPart.allCases.filter { $0.field?.isInEveryMarket == false }

  @Test func `what came with the third level is known to be later`() {
    let ofThird: [QueryPart] = [
      .choice(.category), .choice(.condition), .place, .filter(.available), .filter(.reserved),
      .filter(.unreserved),
    ]

    #expect(laterParts.filter(ofThird.contains) == ofThird)
  }

  @Test(arguments: ExtensionLevel.allCases)
  func `no level answers or offers a part on a field that it lacks`(level: ExtensionLevel) {
    for capabilities in [
      ProductsDialect(variant: .y2023).capabilities(at: level),
      ItemsDialect().capabilities(at: level),
    ] {
      let offered = QueryPart.allCases.filter(capabilities.offers).compactMap(\.field)

      #expect(capabilities.lackingFields.isDisjoint(with: offered))
    }
  }

  @Test(
    arguments: [
      (nil, nil, ExtensionLevel.none), ("1", nil, .first), ("1", "2", .second), ("1", "3", .third),
      ("1", "4", .fourth), ("1", "7", .fourth),
      ("1", "0", .first), ("1", "-9", .first), ("1", "two", .first), ("2", "2", .none),
      (nil, "2", .none),
    ] as [(String?, String?, ExtensionLevel)])
  func `what is announced is read, and no more is taken for it`(
    extensions: String?, announced: String?, level: ExtensionLevel
  ) {
    var headers = HTTPHeaders()
    headers["market-extensions"] = extensions
    headers["market-extensions-level"] = announced

    #expect(headers.extensionLevel == level)
  }

  @Test(arguments: ExtensionLevel.allCases)
  func `what one announces the other reads`(level: ExtensionLevel) {
    var headers = HTTPHeaders()
    headers.announce(.present)
    headers.announce(level)

    #expect(headers.extensionLevel == level)
  }

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
    var headers = HTTPHeaders()
    headers.announce(.second)
    if let announced { headers.announce(announced) }

    let asked = try #require(WebAddress("http://a.example/m/?x=1"))
    #expect(headers.publicAddress(askedAt: asked)?.text == address)
  }

  @Test(arguments: [ExtensionLevel.none, .first])
  func `a server without pages has no address, whatever it announces`(
    level: ExtensionLevel
  ) throws {
    var headers = HTTPHeaders()
    headers.announce(level)
    headers.announce("http://a.example/")

    #expect(headers.publicAddress(askedAt: try #require(WebAddress("http://a.example"))) == nil)
  }

  @Test func `clients compare the first header with what it has always been`() {
    var headers = HTTPHeaders()
    headers.announce(.present)

    #expect(headers["Market-Extensions"] == "1" && headers["Market-Extensions-Level"] == "4")
  }

  @Test(arguments: ProductsDialect.Variant.allCases)
  func `each level answers its parts, and the rows tell the rest`(
    variant: ProductsDialect.Variant
  ) {
    let dialect = ProductsDialect(variant: variant)
    let words: Set<QueryPart> = variant == .y2023 ? [.words] : []

    #expect(dialect.capabilities(at: .none).parts == words)
    #expect(dialect.capabilities(at: .first).parts == [.words, .inStock, .reduced, .seller])
    // Rows tell what is sold.
    let second = dialect.capabilities(at: .second)
    #expect(
      second.parts == Set(QueryPart.allCases).subtracting(laterParts + [.filter(.sold)]))
    #expect(second.scannable == [.filter(.sold)])
    let third = dialect.capabilities(at: .third)
    let lacked = QueryPart.allCases.filter { $0.field.map(third.lackingFields.contains) ?? false }
    #expect(third.parts == Set(QueryPart.allCases).subtracting(lacked))
    #expect(third.lackingFields.contains(.questionsClosed))
    #expect(third.lackingFields.isDisjoint(with: [.category, .condition, .place, .reserved]))
    #expect(dialect.capabilities(at: .present).parts == Set(QueryPart.allCases))
    #expect(dialect.capabilities(at: .present).lackingFields == [])
    #expect(!third.hasQuestions)
    #expect(dialect.capabilities(at: .fourth).hasQuestions)
    for level in [ExtensionLevel.none, .first] {
      let capabilities = dialect.capabilities(at: level)
      #expect(QueryPart.allCases.filter { !capabilities.offers($0) } == laterParts + [.ids])
      #expect(capabilities.parts.isDisjoint(with: capabilities.scannable))
    }
  }

  @Test func `rows of v1 have no seller to sift by`() {
    let capabilities = ItemsDialect().capabilities(at: .none)

    #expect(QueryPart.allCases.filter { !capabilities.offers($0) } == laterParts + [.seller, .ids])
  }
}
