import MarketModel
import MarketStore
import MarketTransfer
import PostgresStore
import PostgresTestSupport
import StoreCore
import TestSupport
import Testing
import TransferTestSupport

/// Markets that go from a file into a database and back.
@Suite(.enabled(if: TestCluster.isPossible, Comment(rawValue: TestCluster.hint)))
struct TransferTests {
  @Test func `what goes into a database and comes back has lost nothing`() async throws {
    let markets = try TransferMarkets()
    let file = try await markets.store("a.sqlite")
    try await markets.fill(file)
    try await markets.exporting(file, to: "a.ndjson")

    let database = try await TestCluster.emptyStore()
    let (summary, problems) = try await markets.importing("a.ndjson", into: database)
    try await markets.exporting(database, to: "b.ndjson")
    let copy = try await markets.store("c.sqlite")
    _ = try await markets.importing("b.ndjson", into: copy)

    #expect(problems == [])
    #expect(summary == ImportRun.Summary(added: 8))
    #expect(
      try await markets.text(of: "b.ndjson", of: database)
        == markets.text(of: "a.ndjson", of: file))
    #expect(try markets.rows(of: "c.sqlite") == markets.rows(of: "a.sqlite"))
    try await database.verify(Password("secret"), for: Product.ID(rawValue: 1), by: .guest)
    let found = try await database.page(PageRequest(query: ProductQuery(text: "quoted")))
    #expect(found.products.count == 1)
  }

  @Test func `a backup of a database is a market file with the same products`() async throws {
    let markets = try TransferMarkets()
    let database = try await TestCluster.emptyStore()
    try await markets.fill(database)
    try await markets.exporting(database, to: "a.ndjson")

    try FileContent(bytes: []).write(to: markets.path(of: "b.sqlite"))
    try await database.backup(to: markets.path(of: "b.sqlite")) { _ in }

    let copy = try await markets.store("b.sqlite")
    try await markets.exporting(copy, to: "b.ndjson")
    #expect(
      try await markets.text(of: "b.ndjson", of: copy)
        == markets.text(of: "a.ndjson", of: database))
    let detail = try await copy.detail(of: Product.ID(rawValue: 2))
    for picture in detail.pictures {
      for rendition in [PictureRendition.thumbnail, .original] {
        let bytes = try await copy.bytes(of: picture, rendition)
        #expect(try await database.bytes(of: picture, rendition) == bytes)
      }
    }
  }

  @Test func `a run that was cut short is repeated without doubles`() async throws {
    let markets = try TransferMarkets()
    let lines = (1...1_200).map { #"{"name":"mug \#($0 % 100)","price":\#($0)}"# }
    try markets.write(lines.joined(separator: "\n"), to: "a.ndjson")
    let cluster = try TestCluster()
    let database = try await PostgresMarketStore.open(
      at: cluster.emptySchema(), pictureProcessor: PassThroughPictureProcessor(),
      options: .forTests)

    let short = InterruptedMarket(database) { number throws(RepositoryError) in
      if number == 2 { throw .store(.diskFull) }
    }
    await #expect(throws: TransferError.market(.store(.diskFull))) {
      _ = try await markets.importing("a.ndjson", into: short)
    }
    // What happens to the database does not end a run.
    let restarted = InterruptedMarket(database) { _ in try? cluster.restart() }
    let (rest, _) = try await markets.importing("a.ndjson", into: restarted)
    let (again, _) = try await markets.importing("a.ndjson", into: database)

    #expect(rest == ImportRun.Summary(added: 700, known: 500))
    #expect(again == ImportRun.Summary(known: 1_200))
    #expect(try await database.page(PageRequest()).total == .exactly(1_200))
  }

  @Test func `a database's own products do not come back into it`() async throws {
    let markets = try TransferMarkets()
    let database = try await TestCluster.emptyStore()
    try await markets.fill(database)
    try await markets.exporting(database, to: "a.ndjson")

    let (summary, _) = try await markets.importing("a.ndjson", into: database)

    #expect(summary == ImportRun.Summary(known: 8))
  }

  @Test func `products whose numbers are taken get new ones, and so do later ones`() async throws {
    let markets = try TransferMarkets()
    let file = try await markets.store("a.sqlite")
    try await markets.fill(file)
    try await markets.exporting(file, to: "a.ndjson")
    let database = try await TestCluster.emptyStore()
    let own = try await database.register(.sample(name: "own"))

    let (summary, _) = try await markets.importing("a.ndjson", into: database)
    let later = try await database.register(.sample(name: "later"))

    #expect(summary.added == 8)
    #expect(try await database.detail(of: own.id) == own)
    let page = try await database.page(PageRequest(size: 100))
    #expect(page.products.count == 10)
    #expect(page.products.first?.id == later.id)
  }

  @Test func `an export shows one moment, whatever is written meanwhile`() async throws {
    let markets = try TransferMarkets()
    let database = try await TestCluster.emptyStore()
    try await markets.fill(database)
    let snapshot = try await database.snapshot()

    _ = try await database.register(.sample(name: "late"))

    #expect(try await snapshot.products(after: nil, atMost: 100).count == 8)
    #expect(try await snapshot.productCount() == 8)
  }

  @Test(arguments: 1...6, TransferLaws.endings)
  func `n rows are n products, whatever their duplicates`(seed: UInt64, ending: String) async throws
  {
    try await TransferLaws.rowsAreAsManyProducts(
      seed: seed, ending: ending, of: TestCluster.emptyStore(), in: TransferMarkets())
  }

  @Test func `a row is known by what it says, however it is written`() async throws {
    try await TransferLaws.rowsAreKnownByTheirMeaning(
      seed: 1, of: TestCluster.emptyStore(), in: TransferMarkets())
  }

  @Test(arguments: TransferLaws.endings)
  func `a database that is exported and imported is as it was`(ending: String) async throws {
    try await TransferLaws.exportsComeBackUnchanged(
      ending: ending, of: TestCluster.emptyStore(), in: TransferMarkets())
  }

  @Test(arguments: TransferLaws.endings)
  func `rows that name the database change what differs`(ending: String) async throws {
    try await TransferLaws.rowsChangeTheirProducts(
      ending: ending, of: TestCluster.emptyStore(), in: TransferMarkets())
  }

  @Test func `a strict run with a mistake leaves the database as it was`() async throws {
    try await TransferLaws.strictRunsTakeAllOrNothing(
      of: TestCluster.emptyStore(), in: TransferMarkets())
  }

  @Test func `a table comes in from a pipe`() async throws {
    let address = try #require(TestCluster.shared).emptySchema()
    let script = """
      printf 'name,price,stock\\nmug,5000,2\\n"cup, blue",7000,1\\n' |
        "$(dirname "$(readlink "/proc/$PPID/exe")")/market-server" import - --store "$1"
      """

    let program = try ChildProcess("/bin/sh", arguments: ["-c", script, "sh", address])
    while try program.readLine() != nil {}

    #expect(try program.wait() == 0)
    let store = try await PostgresMarketStore.open(
      at: address, pictureProcessor: PassThroughPictureProcessor(), options: .forTests)
    let products = try await store.page(PageRequest()).products
    #expect(products.map(\.name) == ["cup, blue", "mug"])
  }
}
