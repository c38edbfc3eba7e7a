import MarketModel
import Synchronization

/// Whether the store has room for writes, known from the last write that failed for lack of it.
///
/// While it has none, a small write every `pause` finds out when there is room again.
package final class WriteHealth: Sendable {
  /// Time between two writes that look for room.
  package static let pause = Duration.seconds(10)

  private let market: any ServedMarket
  private let clock: any Clock<Duration>
  private let isFull = Atomic(false)

  package init(
    of market: any ServedMarket, registry: MetricsRegistry,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.market = market
    self.clock = clock
    registry.gauge(.storeFull) { [weak self] in self?.hasRoom == false ? 1 : 0 }
  }

  package var hasRoom: Bool { !isFull.load(ordering: .relaxed) }

  /// Records how a write ended; nil is success.
  package func didWrite(_ error: RepositoryError?) {
    switch error {
    case .store(.diskFull):
      guard !isFull.exchange(true, ordering: .relaxed) else { return }
      Task { await lookForRoom() }
    case nil: isFull.store(false, ordering: .relaxed)
    default: break
    }
  }

  private func lookForRoom() async {
    while !hasRoom {
      do { try await clock.sleep(for: Self.pause) } catch { return }
      guard !hasRoom, (try? await market.checkRoom()) != nil else { continue }
      isFull.store(false, ordering: .relaxed)
    }
  }
}
