import MarketModel
import MarketStore
import MarketTransfer
import StoreCore
import TestSupport
import Testing
import TransferTestSupport

@Suite struct RoundTripTests {
  @Test func `a market that is written and read again has lost nothing`() async throws {
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")
    try await markets.fill(store)
    try await markets.exporting(store, to: "a.ndjson")

    let copy = try await markets.store("b.sqlite")
    let (summary, problems) = try await markets.importing("a.ndjson", into: copy)
    try await markets.exporting(copy, to: "b.ndjson")

    #expect(problems == [])
    #expect(summary.added == 8)
    #expect(try markets.rows(of: "a.sqlite") == markets.rows(of: "b.sqlite"))
    #expect(
      try await markets.text(of: "a.ndjson", of: store)
        == markets.text(of: "b.ndjson", of: copy))
    try await copy.verify(Password("secret"), for: Product.ID(rawValue: 1), by: .guest)
    #expect(
      try await copy.page(PageRequest(query: ProductQuery(text: "quoted"))).products.count == 1)
  }

  @Test func `a table that is written and read again is the same`() async throws {
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")
    try await markets.fill(store)
    try await markets.exporting(store, to: "a.csv")

    let copy = try await markets.store("b.sqlite")
    let (summary, problems) = try await markets.importing("a.csv", into: copy)
    try await markets.exporting(copy, to: "b.csv")

    #expect(problems == [])
    #expect(summary.added == 8)
    #expect(
      try await markets.text(of: "a.csv", of: store) == markets.text(of: "b.csv", of: copy))
  }

  @Test(arguments: ["ndjson", "csv"])
  func `a file that is read again brings nothing twice`(ending: String) async throws {
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")
    try await markets.fill(store)
    try await markets.exporting(store, to: "a.\(ending)")
    let copy = try await markets.store("b.sqlite")
    let first = try await markets.importing("a.\(ending)", into: copy)

    let second = try await markets.importing("a.\(ending)", into: copy)

    #expect(first.summary.added == 8)
    #expect(second.summary == ImportRun.Summary(known: 8))
    #expect(try await copy.page(PageRequest()).total == .exactly(8))
  }

  @Test func `a market's own products do not come back into it`() async throws {
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")
    try await markets.fill(store)
    try await markets.exporting(store, to: "a.ndjson")

    let (summary, _) = try await markets.importing("a.ndjson", into: store)

    #expect(summary == ImportRun.Summary(known: 8))
  }

  @Test func `products whose numbers are taken get new ones`() async throws {
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")
    try await markets.fill(store)
    try await markets.exporting(store, to: "a.ndjson")
    let other = try await markets.store("b.sqlite")
    let own = try await other.register(.sample(name: "own"))

    let (summary, _) = try await markets.importing("a.ndjson", into: other)

    #expect(summary.added == 8)
    #expect(try await other.detail(of: own.id) == own)
    #expect(try await other.page(PageRequest()).total == .exactly(9))
  }

  @Test func `what was deleted stays deleted when its file comes again`() async throws {
    let markets = try TransferMarkets()
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
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")
    try await markets.fill(store)
    let snapshot = try await store.snapshot()

    _ = try await store.register(.sample(name: "late"))

    let products = try await snapshot.products(after: nil, atMost: 100)
    #expect(products.count == 8)
    #expect(try await snapshot.productCount() == 8)
  }
}
