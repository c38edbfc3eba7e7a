import MarketModel
import Synchronization

/// Gauge of open reports, which is counted again every 15 seconds: operators work beside the server.
struct OpenReportCounter {
  private static let pause = Duration.seconds(15)

  private let market: any OperatedMarket
  private let count: Count

  /// The last count; -1 before the first.
  private final class Count: Sendable { let value = Atomic(-1) }

  init(of market: any OperatedMarket, _ registry: MetricsRegistry) {
    self.market = market
    let count = Count()
    self.count = count
    registry.gauge(.openReports) { Double(max(0, count.value.load(ordering: .relaxed))) }
  }

  /// Counts until cancelled; a market that does not answer keeps its last count.
  func run() async {
    while !Task.isCancelled {
      if let open = try? await market.openReportCount() {
        count.value.store(open, ordering: .relaxed)
      }
      try? await Task.sleep(for: Self.pause)
    }
  }
}
