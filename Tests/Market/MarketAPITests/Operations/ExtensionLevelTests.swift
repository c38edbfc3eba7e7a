import MarketAPI
import MarketModel
import Testing

@Suite struct ExtensionLevelTests {
  @Test(arguments: [
    (nil, nil, ExtensionLevel.none), ("1", nil, .first), ("1", "2", .second), ("1", "7", .second),
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

  @Test func `clients compare the first header with what it has always been`() {
    var headers = HTTPHeaders()
    headers.announce(.present)

    #expect(headers["Market-Extensions"] == "1" && headers["Market-Extensions-Level"] == "2")
  }

  @Test(arguments: ProductsDialect.Variant.allCases)
  func `each level answers its parts, and the rows tell the rest`(
    variant: ProductsDialect.Variant
  ) {
    let dialect = ProductsDialect(variant: variant)
    let words: Set<QueryPart> = variant == .y2023 ? [.words] : []

    #expect(dialect.capabilities(at: .none).parts == words)
    #expect(dialect.capabilities(at: .first).parts == [.words, .inStock, .reduced, .seller])
    #expect(dialect.capabilities(at: .second).parts == Set(QueryPart.allCases))
    #expect(dialect.capabilities(at: .second).siftable.isEmpty)
    for level in [ExtensionLevel.none, .first] {
      let capabilities = dialect.capabilities(at: level)
      #expect(QueryPart.allCases.filter { !capabilities.offers($0) } == [.ids])
      #expect(capabilities.parts.isDisjoint(with: capabilities.siftable))
    }
  }

  @Test func `rows of v1 have no seller to sift by`() {
    let capabilities = ItemsDialect().capabilities(at: .none)

    #expect(QueryPart.allCases.filter { !capabilities.offers($0) } == [.seller, .ids])
  }
}
