import MarketModel
import PostgresTestSupport
import StoreCore
import Synchronization
import TestSupport
import Testing

/// What both stores forget in time.
@Suite(.enabled(if: TestCluster.isPossible, Comment(rawValue: TestCluster.hint)))
struct ForgettingTests {
  private static let day: Int64 = 86_400

  @Test func `a key registers nothing twice for 30 days, and is forgotten then`() async throws {
    let clock = Clock()
    let stores = try await StorePair(now: { clock.seconds })
    let key = IdempotencyKey(rawValue: "an intent")

    for store in stores.both {
      clock.seconds = 1_750_000_000
      let first = try await store.register(.sample(), by: .guest, key: key)
      clock.seconds += 29 * Self.day
      try await register(64, in: store)
      let soon = try await store.register(.sample(), by: .guest, key: key)
      clock.seconds += 2 * Self.day
      try await register(64, in: store)
      let late = try await store.register(.sample(), by: .guest, key: key)

      #expect(soon.id == first.id)
      #expect(late.id != first.id)
    }
  }

  private func register(_ count: Int, in store: any StoredMarket) async throws {
    for _ in 0..<count { _ = try await store.register(.sample()) }
  }

  private final class Clock: Sendable {
    private let time = Mutex<Int64>(0)

    var seconds: Int64 {
      get { time.withLock { $0 } }
      set { time.withLock { $0 = newValue } }
    }
  }
}
