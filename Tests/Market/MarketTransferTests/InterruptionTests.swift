import MarketModel
import MarketStore
import MarketTransfer
import TestSupport
import Testing
import TransferTestSupport

@Suite struct InterruptionTests {
  @Test func `a run that was cut short is repeated without doubles`() async throws {
    let markets = try TransferMarkets()
    let lines = (1...1_200).map { #"{"name":"mug \#($0 % 100)","price":\#($0)}"# }
    try markets.write(lines.joined(separator: "\n"), to: "a.ndjson")
    let store = try await markets.store("a.sqlite")
    let short = InterruptedMarket(store) { number throws(RepositoryError) in
      if number > 1 { throw .store(.diskFull) }
    }

    await #expect(throws: TransferError.market(.store(.diskFull))) {
      _ = try await markets.importing("a.ndjson", into: short)
    }
    let half = try await store.page(PageRequest()).total
    let (summary, _) = try await markets.importing("a.ndjson", into: store)

    #expect(half == .exactly(500))
    #expect(summary == ImportRun.Summary(added: 700, known: 500))
    #expect(try await store.page(PageRequest()).total == .exactly(1_200))
  }
}
