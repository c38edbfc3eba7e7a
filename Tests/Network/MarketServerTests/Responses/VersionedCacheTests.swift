import Expectations
import MarketModel
import Synchronization
import TestSupport
import Testing

@testable import MarketServer

struct VersionedCacheTests {
  private let cache = VersionedCache<String, Int>(limit: 10) { $0 < 0 ? nil : $0 }

  @Test func `a value is known until the version is another one`() async {
    _ = await cache.value(for: "a", at: 1) { 5 }

    expect(cache.value(for: "a", at: 1), 5)
    expect(cache.value(for: "a", at: 2), nil)
    expect(cache.value(for: "a", at: 1), nil)
  }

  @Test func `what an hour makes stale outlives the data it was made of`() async {
    let cache = VersionedCache<String, Int>(
      limit: 10, hourLimit: 10, lifetime: { $0 == "map" ? .hour : .dataVersion }, cost: { $0 })
    _ = await cache.value(for: "map", at: 1) { 5 }
    _ = await cache.value(for: "a", at: 1) { 6 }

    expect(cache.value(for: "a", at: 2), nil)
    expect(cache.value(for: "map", at: 1), 5)
    expect(cache.value(for: "map", at: 2), nil)
  }

  @Test func `without a version nothing is known or kept`() async {
    await expect(cache.value(for: "a", at: nil) { 5 }, 5)

    expect(cache.value(for: "a", at: nil), nil)
    expect(cache.value(for: "a", at: 1), nil)
  }

  @Test func `a value that was found while the data changed is not kept`() async {
    let found = await cache.value(for: "a", at: 1) { [cache] in
      _ = cache.value(for: "b", at: 2)
      return 5
    }

    expect(found, 5)
    expect(cache.value(for: "a", at: 2), nil)
  }

  /// Market that answers when the test says so; a caller without time left gets an error.
  private final class SlowMarket: Sendable {
    let registry = MetricsRegistry()
    private let cache: VersionedCache<String, Int>
    private let gate = Gate<Bool, Void>(answersCancelledCalls: true)

    init() {
      let meters = CacheMetrics("a", registry)
      cache = VersionedCache(limit: 10, meters: { _ in meters }, cost: { $0 < 0 ? nil : $0 })
    }

    func ask(within time: Duration) -> Task<Int, Never> {
      Task.immediate {
        await RequestDeadline.limited(to: time) {
          await self.cache.value(for: "a", at: 1) { await self.find() }
        }
      }
    }

    var known: Int? { cache.value(for: "a", at: 1) }
    var sharedCount: Int { registry.counter(.remembered, "a", "shared").count }
    var missCount: Int { registry.counter(.remembered, "a", "miss").count }

    func answerNext() async throws { try await gate.next().answer(()) }

    private func find() async -> Int {
      let hasTime = RequestDeadline.remaining(atMost: .seconds(4_000)) > .seconds(2_000)
      try? await gate.pass(hasTime)
      return hasTime ? 5 : -1
    }
  }

  @Test func `who has more time is not refused because somebody before had less`() async throws {
    let market = SlowMarket()
    let hurried = market.ask(within: .zero)
    let patient = market.ask(within: .seconds(4_000))
    await poll { market.sharedCount == 1 }

    try await market.answerNext()
    try await market.answerNext()

    await expect(hurried.value, -1)
    await expect(patient.value, 5)
    expect(market.known, 5)
  }

  @Test func `what has failed in good time is not asked for again`() async throws {
    let market = SlowMarket()
    let tasks = [market.ask(within: .seconds(600)), market.ask(within: .seconds(700))]
    await poll { market.sharedCount == 1 }

    try await market.answerNext()

    for task in tasks { await expect(task.value, -1) }
    expect(market.missCount, 1)
  }

  @Test func `values beyond the limit take the place of all others`() async {
    for (key, value) in [("a", 6), ("b", 4), ("c", 1), ("d", 11), ("e", -1)] {
      _ = await cache.value(for: key, at: 1) { value }
    }

    expect(cache.value(for: "a", at: 1), nil)
    expect(cache.value(for: "c", at: 1), 1)
    expect(cache.value(for: "d", at: 1), nil)
    expect(cache.value(for: "e", at: 1), nil)
  }

  @Test func `what was known of superseded versions is kept with the end of its validity`()
    async
  {
    let start = ContinuousClock.now
    let seconds = Mutex(0)
    let cache = VersionedCache<String, Int>(
      limit: 10, keepingStaleBy: { start + .seconds(seconds.withLock { $0 }) }, cost: { $0 })
    func pass(_ count: Int) { seconds.withLock { $0 += count } }
    func last(_ key: String, after second: Int = -1) -> (Int, Int)? {
      cache.lastValue(for: key, after: start + .seconds(second)).map {
        ($0.value, Int(($0.until - start).components.seconds))
      }
    }

    _ = await cache.value(for: "a", at: 1) { 2 }
    pass(5)
    _ = cache.value(for: "b", at: 1)
    pass(5)
    _ = await cache.value(for: "b", at: 2) { 3 }
    pass(5)

    #expect(last("a") ?? (0, 0) == (2, 5))
    #expect(last("b") ?? (0, 0) == (3, 10))
    #expect(last("c") == nil)
    #expect(last("a", after: 5) == nil)
    #expect(last("b", after: 5) != nil)
    expect(cache.value(for: "a", at: 2), nil)
  }

  @Test func `superseded versions take no more room than the present one may`() async {
    let cache = VersionedCache<Int, Int>(
      limit: 10, keepingStaleBy: { .now }, cost: { _ in 4 })
    let long = ContinuousClock.now - .seconds(60)

    for version in 1...20 { _ = await cache.value(for: version, at: Int64(version)) { version } }

    let kept = (1...20).filter { cache.lastValue(for: $0, after: long) != nil }
    #expect(kept == Array(18...20) || kept == [19, 20], "\(kept)")
  }
}
