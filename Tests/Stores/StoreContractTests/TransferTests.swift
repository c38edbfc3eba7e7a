import Expectations
import MarketModel
import MarketTransfer
import StoreCore
import TestSupport
import Testing
import TransferTestSupport

/// Markets that go into files and come out of them.
struct TransferTests {
  /// Seeds of a law in each database, of which a file takes more in the same time.
  private static func seeds(
    _ file: ClosedRange<UInt64>, _ database: ClosedRange<UInt64>
  ) -> [(UInt64, Database)] {
    file.map { ($0, .sqlite) } + database.map { ($0, .postgres) }
  }

  @Test(arguments: seeds(1...17, 1...6), TransferLaws.endings)
  func `n rows are n products, whatever their duplicates`(
    run: (seed: UInt64, database: Database), ending: String
  ) async throws {
    let market = try await ContractMarket(run.database)
    try await TransferLaws.rowsAreAsManyProducts(
      seed: run.seed, ending: ending, of: market.store, in: TransferMarkets())
  }

  @Test(arguments: seeds(1...3, 1...1))
  func `a row is known by what it says, however it is written`(
    seed: UInt64, _ database: Database
  ) async throws {
    let market = try await ContractMarket(database)
    try await TransferLaws.rowsAreKnownByTheirMeaning(
      seed: seed, of: market.store, in: TransferMarkets())
  }

  @Test(arguments: TransferLaws.endings + ["tsv"], Database.allCases)
  func `a market that is exported and imported is as it was`(
    ending: String, _ database: Database
  ) async throws {
    let market = try await ContractMarket(database)
    try await TransferLaws.exportsComeBackUnchanged(
      ending: ending, of: market.store, in: TransferMarkets())
  }

  @Test(arguments: TransferLaws.endings, Database.allCases)
  func `rows that name the market change what differs`(
    ending: String, _ database: Database
  ) async throws {
    let market = try await ContractMarket(database)
    try await TransferLaws.rowsChangeTheirProducts(
      ending: ending, of: market.store, in: TransferMarkets())
  }

  @Test(arguments: Database.allCases)
  func `a strict run with a mistake leaves the market as it was`(_ database: Database) async throws
  {
    let market = try await ContractMarket(database)
    try await TransferLaws.strictRunsTakeAllOrNothing(of: market.store, in: TransferMarkets())
  }

  @Test(arguments: Database.allCases)
  func `what goes from a file into a market and back has lost nothing`(_ database: Database)
    async throws
  {
    let markets = try TransferMarkets()
    let file = try await markets.store("a.sqlite")
    try await markets.fill(file)
    try await markets.exporting(file, to: "a.ndjson")

    let market = try await ContractMarket(database)
    let (summary, problems) = try await markets.importing("a.ndjson", into: market.store)
    try await markets.exporting(market.store, to: "b.ndjson")
    let copy = try await markets.store("c.sqlite")
    _ = try await markets.importing("b.ndjson", into: copy)

    expect(problems, [])
    expect(summary, ImportRun.Summary(added: 8))
    try await expect(
      markets.text(of: "b.ndjson", of: market.store), markets.text(of: "a.ndjson", of: file))
    try expect(markets.rows(of: "c.sqlite"), markets.rows(of: "a.sqlite"))
    try await market.store.verify(Password("secret"), for: Product.ID(rawValue: 1), by: .guest)
    let found = try await market.store.page(PageRequest(query: ProductQuery(text: "quoted")))
    expect(found.products.count, 1)
  }

  @Test(arguments: Database.allCases)
  func `a backup is a market file of its own with the same products`(_ database: Database)
    async throws
  {
    let markets = try TransferMarkets()
    let market = try await ContractMarket(database)
    try await markets.fill(market.store)
    try await markets.exporting(market.store, to: "a.ndjson")
    let detail = try await market.store.detail(of: Product.ID(rawValue: 2))
    try FileContent(bytes: []).write(to: markets.path(of: "b.sqlite"))

    try await market.store.backup(to: markets.path(of: "b.sqlite")) { _ in }
    _ = try await market.store.remove(detail.id)

    let copy = try await markets.store("b.sqlite")
    try await markets.exporting(copy, to: "b.ndjson")
    try await expect(
      markets.text(of: "b.ndjson", of: copy), markets.text(of: "a.ndjson", of: market.store))
    try await copy.verify(Password("secret"), for: detail.id, by: .guest)
    for (number, picture) in detail.pictures.enumerated() {
      let file = PictureFile.jpeg(UInt8(number + 1))
      try await expect(copy.bytes(of: picture, .original), file)
      try await expect(copy.bytes(of: picture, .thumbnail), Array(file.prefix(16)))
    }
  }

  @Test(arguments: Database.allCases)
  func `products whose numbers are taken get new ones, and so do later ones`(
    _ database: Database
  ) async throws {
    let markets = try TransferMarkets()
    let file = try await markets.store("a.sqlite")
    try await markets.fill(file)
    try await markets.exporting(file, to: "a.ndjson")
    let market = try await ContractMarket(database)
    let own = try await market.store.register(.sample(name: "own"))

    let (summary, _) = try await markets.importing("a.ndjson", into: market.store)
    let later = try await market.store.register(.sample(name: "later"))

    expect(summary.added, 8)
    try await expect(market.store.detail(of: own.id), own)
    let page = try await market.store.page(PageRequest(size: 100))
    expect(page.products.count, 10)
    expect(page.products.first?.id, later.id)
  }
}
