import Expectations
import MarketModel
import MarketStore
import MarketTransfer
import StoreCore
import TestSupport
import Testing
import TransferTestSupport

/// Rows that name a market, and rows that do not.
struct TransferLawTests {
  @Test func `rows without a market, or of another, are new products`() async throws {
    let markets = try TransferMarkets()
    let (store, other) = (try await markets.store("a.sqlite"), try await markets.store("b.sqlite"))
    try await markets.fill(store)
    try await markets.exporting(store, to: "a.csv")
    let id = try #require(try await store.ownMarketID())
    try markets.write(try markets.text(of: "a.csv").replacing(id.text, with: ""), to: "none.csv")

    let (none, problems) = try await markets.importing("none.csv", into: store)
    let foreign = try await markets.importing("a.csv", into: other).summary

    // What a foreign client has named is taken from a market alone.
    expect(none, ImportRun.Summary(added: 7, refused: 1))
    expect(problems.map(\.reason), [.field(FieldError(.name, .controls))])
    expect(foreign, ImportRun.Summary(added: 8))
    try await expect(store.page(PageRequest()).total, .exactly(15))
  }

  @Test func `a row of the market says its version`() async throws {
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")
    _ = try await store.register(.sample(name: "mug"))
    let id = try #require(try await store.ownMarketID()).text
    try markets.write(
      "market,id,name,price,version,currency\n\(id),1,jug,5,,KRW\n\(id),1,jug,5,1,\n", to: "a.csv")

    let (summary, problems) = try await markets.importing("a.csv", into: store)

    expect(summary, ImportRun.Summary(changed: 1, refused: 1))
    expect(problems.map(\.reason), [.noVersion])
  }

  @Test func `columns that a row of the market does not have stay as they are`() async throws {
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")
    let product = try await store.register(.full())
    let id = try #require(try await store.ownMarketID()).text
    try markets.write(
      "name,price,currency,market,id,version,seller\nTandem,\"$1,234.50\",usd,\(id),1,1,Zed\n",
      to: "a.csv")

    let (summary, problems) = try await markets.importing("a.csv", into: store)

    let changed = try await store.detail(of: product.id)
    #expect(problems == [] && summary == ImportRun.Summary(changed: 1))
    #expect(changed.product.name == "Tandem" && changed[.price] == .amount(123_450))
    for field in [ProductField.discount, .stock, .description, .pictures] {
      expect(changed[field], product[field])
    }
    expect(changed.product.seller, product.product.seller)
  }

  @Test func `a line of the market changes its pictures where it names others`() async throws {
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")
    let product = try await store.register(
      .sample(name: "mug", pictures: [PictureFile.jpeg(1), PictureFile.jpeg(2)]))
    try await markets.exporting(store, to: "a.ndjson")
    let names = product.pictures.map { $0.original + ".jpg" }
    try FileContent(bytes: PictureFile.jpeg(3)).write(
      to: markets.path(of: "a.ndjson.pictures/new.jpg"))
    try markets.write(
      try markets.text(of: "a.ndjson").replacing(
        #"["\#(names[0])","\#(names[1])"]"#, with: #"["\#(names[1])","new.jpg"]"#), to: "a.ndjson")

    let (summary, problems) = try await markets.importing("a.ndjson", into: store, isStrict: true)

    let changed = try await store.detail(of: product.id)
    #expect(problems == [] && summary == ImportRun.Summary(changed: 1))
    expect(changed.pictures.map(\.original).first, product.pictures[1].original)
    expect(changed.pictures.count, 2)
    try await expect(store.bytes(of: changed.pictures[1], .original), PictureFile.jpeg(3))
  }
}
