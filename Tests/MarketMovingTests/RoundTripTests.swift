import MarketModel
import MarketMoving
import MarketStore
import TestSupport
import Testing

@Suite struct RoundTripTests {
  /// A market with every kind of thing that a file has to carry.
  private func fill(_ store: SQLiteStore) async throws {
    let ana = Author.seller(SellerIdentifier(secret: "1b4e28ba-2fa1-11d2-883f-0016d3cca427"))
    _ = try await store.register(.sample(name: "mug"))
    _ = try await store.register(
      .sample(
        name: "\"quoted\", 한글\u{1b}[31m\u{202e}\r\nx\u{0}y", description: " a\n\nb,\"c\" \u{2028}",
        pictures: [PictureFile.jpeg(1), PictureFile.jpeg(2)]),
      by: ana, key: IdempotencyKey(rawValue: "1"))
    let gone = try await store.register(.sample(name: "gone"))
    let changed = try await store.register(
      .sample(name: "lamp", pictures: [PictureFile.jpeg(2)]), by: ana,
      key: IdempotencyKey(rawValue: "2"))
    _ = try await store.update(
      changed.id, with: ProductPatch(stock: 0), password: Password("secret"), by: ana,
      expecting: nil)
    _ = try await store.delete(gone.id, password: Password("secret"), by: .guest)
    let hash = try await PasswordHasher(cost: .least).hash(Password("openmarket"))
    let price = try #require(
      Price(full: Money(hundredths: 1_250, currency: .usd), discountHundredths: 5))
    let seed = (0..<5).map { number in
      SeedProduct(
        seller: "Shop \(number % 2)", name: "seed \(number)", description: "", price: price,
        stock: 1 << 53, created: Int64(number), pictures: [])
    }
    try await store.seed(SeedMarket(products: seed, pictures: [], passwordHash: hash))
  }

  @Test func `a market that is written and read again has lost nothing`() async throws {
    let markets = try MovingMarkets()
    let store = try await markets.store("a.sqlite")
    try await fill(store)
    try await markets.exporting(store, to: "a.ndjson")

    let copy = try await markets.store("b.sqlite")
    let (summary, problems) = try await markets.importing("a.ndjson", into: copy)
    try await markets.exporting(copy, to: "b.ndjson")

    #expect(problems == [])
    #expect(summary.added == 8)
    #expect(try markets.rows(of: "a.sqlite") == markets.rows(of: "b.sqlite"))
    #expect(try markets.text(of: "a.ndjson") == markets.text(of: "b.ndjson"))
    try await copy.verify(Password("secret"), for: Product.ID(rawValue: 1), by: .guest)
    #expect(
      try await copy.page(PageRequest(query: ProductQuery(text: "quoted"))).products.count == 1)
  }

  @Test func `a table that is written and read again is the same`() async throws {
    let markets = try MovingMarkets()
    let store = try await markets.store("a.sqlite")
    try await fill(store)
    try await markets.exporting(store, to: "a.csv")

    let copy = try await markets.store("b.sqlite")
    let (summary, problems) = try await markets.importing("a.csv", into: copy)
    try await markets.exporting(copy, to: "b.csv")

    #expect(problems == [])
    #expect(summary.added == 8)
    #expect(try markets.text(of: "a.csv") == markets.text(of: "b.csv"))
  }

  @Test(arguments: ["ndjson", "csv"])
  func `a file that is read again brings nothing twice`(ending: String) async throws {
    let markets = try MovingMarkets()
    let store = try await markets.store("a.sqlite")
    try await fill(store)
    try await markets.exporting(store, to: "a.\(ending)")
    let copy = try await markets.store("b.sqlite")
    let first = try await markets.importing("a.\(ending)", into: copy)

    let second = try await markets.importing("a.\(ending)", into: copy)

    #expect(first.summary.added == 8)
    #expect(second.summary == ImportRun.Summary(known: 8))
    #expect(try await copy.page(PageRequest()).total == .exactly(8))
  }

  @Test func `a market's own products do not come back into it`() async throws {
    let markets = try MovingMarkets()
    let store = try await markets.store("a.sqlite")
    try await fill(store)
    try await markets.exporting(store, to: "a.ndjson")

    let (summary, _) = try await markets.importing("a.ndjson", into: store)

    #expect(summary == ImportRun.Summary(known: 8))
  }

  @Test func `products whose numbers are taken get new ones`() async throws {
    let markets = try MovingMarkets()
    let store = try await markets.store("a.sqlite")
    try await fill(store)
    try await markets.exporting(store, to: "a.ndjson")
    let other = try await markets.store("b.sqlite")
    let own = try await other.register(.sample(name: "own"))

    let (summary, _) = try await markets.importing("a.ndjson", into: other)

    #expect(summary.added == 8)
    #expect(try await other.detail(of: own.id) == own)
    #expect(try await other.page(PageRequest()).total == .exactly(9))
  }

  @Test func `what was deleted stays deleted when its file comes again`() async throws {
    let markets = try MovingMarkets()
    try markets.write(#"{"name":"mug","price":1000}"#, to: "a.ndjson")
    let store = try await markets.store("a.sqlite")
    _ = try await markets.importing("a.ndjson", into: store)
    let product = try #require(try await store.page(PageRequest()).products.first)
    _ = try await store.delete(product.id, by: .guest)

    let (summary, _) = try await markets.importing("a.ndjson", into: store)

    #expect(summary.known == 1)
    #expect(try await store.page(PageRequest()).total == .exactly(0))
  }

  @Test func `an export shows one moment, whatever is written meanwhile`() async throws {
    let markets = try MovingMarkets()
    let store = try await markets.store("a.sqlite")
    try await fill(store)
    let snapshot = try await store.snapshot()

    _ = try await store.register(.sample(name: "late"))

    let products = try await snapshot.products(after: nil, atMost: 100)
    #expect(products.count == 8)
    #expect(try await snapshot.productCount() == 8)
  }
}
