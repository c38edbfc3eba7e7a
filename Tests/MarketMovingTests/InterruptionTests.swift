import MarketModel
import MarketMoving
import MarketStore
import Synchronization
import TestSupport
import Testing

@Suite struct InterruptionTests {
  @Test func `a run that was cut short is repeated without doubles`() async throws {
    let markets = try MovingMarkets()
    let lines = (1...1_200).map { #"{"name":"mug \#($0 % 100)","price":\#($0)}"# }
    try markets.write(lines.joined(separator: "\n"), to: "a.ndjson")
    let store = try await markets.store("a.sqlite")
    let short = CutShort(store, after: 1)

    await #expect(throws: MovingError.market(.store(.diskFull))) {
      _ = try await markets.importing("a.ndjson", into: short)
    }
    let half = try await store.page(PageRequest()).total
    let (summary, _) = try await markets.importing("a.ndjson", into: store)

    #expect(half == .exactly(500))
    #expect(summary == ImportRun.Summary(added: 700, known: 500))
    #expect(try await store.page(PageRequest()).total == .exactly(1_200))
  }
}

/// A market that takes some portions and then no more.
private struct CutShort: MarketArchive {
  let market: any MarketArchive
  let portions: Int

  init(_ market: any MarketArchive, after portions: Int) {
    self.market = market
    self.portions = portions
  }

  func snapshot() async throws(RepositoryError) -> any MarketSnapshot {
    try await market.snapshot()
  }

  func beginImport() async throws(RepositoryError) -> any MarketImport {
    Import(try await market.beginImport(), portions: portions)
  }

  private final class Import: MarketImport {
    private let target: any MarketImport
    private let left: Mutex<Int>

    init(_ target: any MarketImport, portions: Int) {
      self.target = target
      left = Mutex(portions)
    }

    func areThere(_ products: [IncomingProduct]) async throws(RepositoryError) -> [Bool] {
      try await target.areThere(products)
    }

    func ready(_ portion: ImportPortion) -> ImportStep {
      let step = target.ready(portion)
      return { [self] () async throws(RepositoryError) in
        let isOver = left.withLock { left in
          left -= 1
          return left < 0
        }
        guard !isOver else { throw .store(.diskFull) }
        return try await step()
      }
    }

    func finish() async throws(RepositoryError) {
      try await target.finish()
    }
  }
}
