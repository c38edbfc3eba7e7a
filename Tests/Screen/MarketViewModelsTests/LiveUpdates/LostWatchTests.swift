import Expectations
import MarketModel
import MarketViewModels
import SellingTestSupport
import Synchronization
import TestSupport
import Testing

/// Lists after the change stream was lost.
struct LostWatchTests {
  private let market = WatchedBrowser()

  private static let lost = ChangeEvent.lost(.unreachable(.disconnected))
  private static let firstPause = Duration.milliseconds(875)
  private static let secondPause = Duration.milliseconds(1_750)

  private var reconnection: Reconnection { market.browser.reconnection }

  @Test func `a watch that is lost goes on after a second from its last place`() async throws {
    try await market.show(Product.samples([9]))
    market.changes.tell(.sample(.listed, 10), cursor: "17")
    await until { market.live.pendingProducts.count == 1 }

    market.changes.tell(Self.lost)
    try await market.clock.sleeps(of: Self.firstPause).next().answer(())
    await market.settle()

    expect(market.changes.cursors, [nil, ChangeCursor(rawValue: "17")])
    #expect(!reconnection.isNeeded)
  }

  @Test func `a market that answers pages but no watch is no outage`() async throws {
    try await market.show(Product.samples([9]))
    market.changes.tell(Self.lost)
    try await market.clock.sleeps(of: Self.firstPause).next().answer(())
    await market.settle()

    market.changes.tell(Self.lost)
    try await market.pages.next().answer(.sample([10, 9]))
    await until { market.live.pendingProducts.count == 1 }
    try await market.clock.sleeps(of: Self.secondPause).next().answer(())
    await market.settle()

    #expect(!reconnection.isNeeded)
    expect(market.changes.cursors.count, 3)
  }

  @Test func `a market that is away is counted down for once, and followed when it is back`()
    async throws
  {
    try await market.show(Product.samples([9]))
    market.changes.tell(Self.lost)
    try await market.clock.sleeps(of: Self.firstPause).next().answer(())
    await market.settle()
    market.changes.tell(Self.lost)
    try await market.pages.next().fail(.unreachable(.refused))
    await until { reconnection.isNeeded }
    try await market.clock.sleeps(of: Self.secondPause).next().answer(())
    await market.settle()
    let whileAway = market.changes.cursors.count

    market.browser.retry()
    try await market.pages.next().answer(.sample([9]))
    await until { !reconnection.isNeeded }
    await market.settle()

    expect(whileAway, 2)
    expect(market.changes.cursors.count, 3)
    expect(market.rows, [9])
  }

  @Test func `asking again cuts the wait for the watch short`() async throws {
    try await market.show(Product.samples([9]))
    market.changes.tell(Self.lost)
    await market.settle()

    market.browser.refresh()
    await market.settle()

    expect(market.changes.cursors.count, 2)
  }

  @Test func `a market that tells no changes is not asked for them again`() async throws {
    try await market.show(Product.samples([9]))

    market.changes.tell(.lost(.unsupported))
    await market.settle()
    market.browser.refresh()
    await market.settle()

    expect(market.changes.cursors.count, 1)
  }

  @Test func `a market that comes back by itself moves no row`() async throws {
    try await market.show(Product.samples([9, 8]))
    market.browser.refresh()
    try await market.pages.next().fail(.unreachable(.refused))
    await until { reconnection.isNeeded }

    try await market.clock.sleeps(of: Self.firstPause).next().answer(())
    try await market.pages.next().answer(.sample([10, 9, 8]))
    await until { market.live.pendingProducts.count == 1 }

    expect(market.rows, [9, 8])
    #expect(!reconnection.isNeeded)
  }

  @Test func `nothing wakes while nothing happens`() async throws {
    let clock = CountingClock()
    let changes = ScriptedChanges()
    let repository = GatedProductRepository()
    let browser = BrowserModel(
      repository: repository, changes: changes, arrangement: .list, pageSize: 4, clock: clock,
      jitter: .fixed(0))
    browser.start()
    changes.watch()
    try await repository.pages.next().answer(.sample([9, 8]))
    try await repository.pages.next().answer(.sample([9, 8]))
    await market.settle()

    let before = clock.sleeps
    await market.settle()

    expect(clock.pending, 0)
    expect(clock.sleeps, before)
  }
}

/// A clock on which no time passes, that counts who sleeps.
private final class CountingClock: Clock {
  private let counts = Mutex((begun: 0, ended: 0))
  private let clock = ManualClock()

  var now: ManualClock.Instant { clock.now }
  var minimumResolution: Duration { .zero }
  var sleeps: Int { counts.withLock { $0.begun } }
  /// The sleeps that have not ended.
  var pending: Int { counts.withLock { $0.begun - $0.ended } }

  func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
    counts.withLock { $0.begun += 1 }
    defer { counts.withLock { $0.ended += 1 } }
    guard now.duration(to: deadline) > .zero else { return }
    try await clock.sleep(until: deadline, tolerance: tolerance)
  }
}
