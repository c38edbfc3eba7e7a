import MarketModel
import Synchronization

/// Rate limiter that shares the usage of networks with the market's other servers.
///
/// Usage is stored as the time until the limit is free again (GCRA). Each server synchronizes a key at
/// most once a second, so a network can exceed its limit by what it uses within a second at each
/// server.
final class SharedRateLimiter: Sendable {
  private struct Key: Hashable {
    let limit: RateLimitUsage.Limit
    let network: ClientNetwork
  }

  private struct Entry {
    /// Time at which the limit is free again, in nanoseconds since 1970.
    var busyUntil: Int64
    /// Usage not yet reported to the store, in nanoseconds.
    var unreported: Int64 = 0
    /// Time of the last exchange; nil if there was none.
    var lastReport: ContinuousClock.Instant?
    var isReportScheduled = false
  }

  /// Maximum number of keys; beyond it expired ones are dropped, then the one with the least usage.
  private static let addressLimit = 10_000

  private let market: any ServedMarket
  private let pause: Duration
  private let now: @Sendable () -> Int64
  private let entries = Mutex<[Key: Entry]>([:])
  /// Whether the store is not shared with other servers.
  private let isSingleServer = Atomic(false)

  /// Creates a limiter; `pause` is the minimum time between two exchanges of a key, `now` is in seconds
  /// since 1970.
  init(
    of market: any ServedMarket, pause: Duration = .seconds(1),
    now: @escaping @Sendable () -> Int64
  ) {
    self.market = market
    self.pause = pause
    self.now = now
  }

  /// Uses `amount` of a limit; if that exceeds it, uses nothing and returns the seconds to wait, else
  /// nil.
  func use(
    _ amount: Int64, of limit: Int64, each period: Int64, _ kind: RateLimitUsage.Limit,
    by network: ClientNetwork
  ) async -> Int? {
    let key = Key(limit: kind, network: network)
    let now = now() * 1_000_000_000
    // A single request larger than the limit is admitted after an unused period.
    let cost = min(period, Int64((Double(period) * Double(amount) / Double(limit)).rounded()))
    await syncIfDue(key, at: now)
    let excess = entries.withLock { entries -> Int64 in
      let busyUntil = min(max(entries[key]?.busyUntil ?? 0, now), now + period) + cost
      let excess = busyUntil - now - period
      guard excess <= 0 else { return excess }
      if entries[key] == nil { Self.makeRoom(in: &entries, at: now) }
      entries[key, default: Entry(busyUntil: 0)].busyUntil = busyUntil
      entries[key]?.unreported += cost
      return excess
    }
    guard excess > 0 else {
      if pause > .zero { scheduleSync(key) } else { await exchange(key, at: now) }
      return nil
    }
    return Int((excess + 999_999_999) / 1_000_000_000)
  }

  /// Exchanges the usage of a key if that is due.
  private func syncIfDue(_ key: Key, at now: Int64) async {
    guard !isSingleServer.load(ordering: .relaxed) else { return }
    let isDue = entries.withLock { entries in
      guard let last = entries[key]?.lastReport else { return true }
      return last + pause <= .now
    }
    if isDue { await exchange(key, at: now) }
  }

  /// Schedules an exchange, so that the last usage is reported, too.
  private func scheduleSync(_ key: Key) {
    guard !isSingleServer.load(ordering: .relaxed) else { return }
    let begins = entries.withLock { entries -> Bool in
      guard let entry = entries[key], !entry.isReportScheduled else { return false }
      entries[key]?.isReportScheduled = true
      return true
    }
    guard begins else { return }
    // Detached, since it must not have a request's deadline.
    Task.detached {
      try? await Task.sleep(for: self.pause)
      self.change(key) { $0.isReportScheduled = false }
      await self.exchange(key, at: self.now() * 1_000_000_000)
    }
  }

  /// Reports local usage of `key` to the store and takes over the total.
  ///
  /// If the store fails, the usage is reported with the next exchange; no request is refused or
  /// admitted because of the failure.
  private func exchange(_ key: Key, at now: Int64) async {
    let cost = entries.withLock { entries -> Int64 in
      entries[key]?.lastReport = .now
      let cost = entries[key]?.unreported ?? 0
      entries[key]?.unreported = 0
      return cost
    }
    let use = RateLimitUsage(of: key.limit, by: key.network.text, cost: cost)
    let rest: Int64
    do throws(RepositoryError) {
      guard let known = try await market.share(use) else {
        return isSingleServer.store(true, ordering: .relaxed)
      }
      rest = known
    } catch {
      return change(key) { $0.unreported += cost }
    }
    entries.withLock { entries in
      if entries[key] == nil { Self.makeRoom(in: &entries, at: now) }
      var entry = entries[key] ?? Entry(busyUntil: 0)
      // Usage during the exchange is added to the total.
      entry.busyUntil = now + rest + entry.unreported
      entry.lastReport = .now
      entries[key] = entry
    }
  }

  private func change(_ key: Key, _ body: (inout Entry) -> Void) {
    entries.withLock { entries in
      guard var entry = entries[key] else { return }
      body(&entry)
      entries[key] = entry
    }
  }

  private static func makeRoom(in entries: inout [Key: Entry], at now: Int64) {
    guard entries.count >= addressLimit else { return }
    entries = entries.filter { $0.value.busyUntil > now }
    guard entries.count >= addressLimit,
      let least = entries.min(by: { $0.value.busyUntil < $1.value.busyUntil })
    else { return }
    entries[least.key] = nil
  }
}
