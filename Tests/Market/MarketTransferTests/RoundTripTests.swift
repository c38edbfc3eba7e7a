import Expectations
import MarketModel
import MarketStore
import MarketTransfer
import StoreCore
import TestSupport
import Testing
import TransferTestSupport

struct RoundTripTests {
  @Test func `a table that is written and read again is the same`() async throws {
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")
    try await markets.fill(store)
    try await markets.exporting(store, to: "a.csv")

    let copy = try await markets.store("b.sqlite")
    let (summary, problems) = try await markets.importing("a.csv", into: copy)
    try await markets.exporting(copy, to: "b.csv")

    expect(problems, [])
    expect(summary.added, 8)
    try await expect(markets.text(of: "a.csv", of: store), markets.text(of: "b.csv", of: copy))
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

    expect(first.summary.added, 8)
    expect(second.summary, ImportRun.Summary(known: 8))
    try await expect(copy.page(PageRequest()).total, .exactly(8))
  }

  @Test func `what was deleted stays deleted when its file comes again`() async throws {
    let markets = try TransferMarkets()
    try markets.write(#"{"name":"mug","price":1000}"#, to: "a.ndjson")
    let store = try await markets.store("a.sqlite")
    _ = try await markets.importing("a.ndjson", into: store)
    let product = try #require(try await store.page(PageRequest()).products.first)
    _ = try await store.delete(product.id, by: .guest)

    let (summary, _) = try await markets.importing("a.ndjson", into: store)

    expect(summary.known, 1)
    try await expect(store.page(PageRequest()).total, .exactly(0))
  }
}
