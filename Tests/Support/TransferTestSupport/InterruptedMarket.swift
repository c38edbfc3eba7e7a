import MarketModel
import Synchronization

/// A market to which something happens before it takes a batch.
package struct InterruptedMarket: MarketArchive {
  /// Told the number of the batch, from 1; what it throws is what the batch comes to.
  package typealias Event = @Sendable (Int) throws(RepositoryError) -> Void

  private let market: any MarketArchive
  private let event: Event

  package init(_ market: any MarketArchive, before event: @escaping Event) {
    self.market = market
    self.event = event
  }

  package func ownMarketID() async throws(RepositoryError) -> MarketID? {
    try await market.ownMarketID()
  }

  package func newestCurrency() async throws(RepositoryError) -> Currency? {
    try await market.newestCurrency()
  }

  package func standings(
    of products: [IncomingProduct]
  ) async throws(RepositoryError) -> [ImportDecision] {
    try await market.standings(of: products)
  }

  package func snapshot() async throws(RepositoryError) -> any MarketSnapshot {
    try await market.snapshot()
  }

  package func backup(
    to path: String, show: @escaping @Sendable (Double) -> Void
  ) async throws(RepositoryError) {
    try await market.backup(to: path, show: show)
  }

  package func beginImport() async throws(RepositoryError) -> any MarketImport {
    Import(try await market.beginImport(), event)
  }

  private final class Import: MarketImport {
    private let target: any MarketImport
    private let event: Event
    private let count = Mutex(0)
    var startsEmpty: Bool { target.startsEmpty }

    init(_ target: any MarketImport, _ event: @escaping Event) {
      self.target = target
      self.event = event
    }

    func prepare(_ batch: ImportBatch) -> ImportStep {
      let step = target.prepare(batch)
      return { [self] () async throws(RepositoryError) in
        let number = count.withLock { count in
          count += 1
          return count
        }
        try event(number)
        return try await step()
      }
    }

    func finish() async throws(RepositoryError) {
      try await target.finish()
    }
  }
}
