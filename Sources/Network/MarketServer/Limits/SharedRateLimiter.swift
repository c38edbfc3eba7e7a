import MarketModel
import Synchronization

/// Ledger of what addresses have used up of their limits, here and at the other servers of the market.
///
/// What is used up is the time until it is free again, so one number says it. Each server tells the
/// others once a second and address at most, so that an address may do what it may in all, and what it
/// does within one second at each server.
final class SharedRateLimiter: Sendable {
  private struct Key: Hashable {
    let limit: RateLimitUsage.Limit
    let network: ClientNetwork
  }

  private struct Entry {
    /// Time at which nothing is used up any more, in nanoseconds since 1970.
    var busyUntil: Int64
    /// Cost that no other server knows of.
    var untold: Int64 = 0
    /// When the others were last told and asked.
    var lastTold: ContinuousClock.Instant?
    var willBeTold = false
  }

  /// Addresses that are remembered; beyond that those go that have used up least.
  private static let addressLimit = 10_000

  private let market: any ServedMarket
  private let pause: Duration
  private let now: @Sendable () -> Int64
  private let entries = Mutex<[Key: Entry]>([:])
  /// Whether no other server can be told.
  private let isSingleServer = Atomic(false)

  /// Takes the pause after which others are told again, and the clock in seconds since 1970.
  init(
    of market: any ServedMarket, pause: Duration = .seconds(1),
    now: @escaping @Sendable () -> Int64
  ) {
    self.market = market
    self.pause = pause
    self.now = now
  }

  /// Uses an amount of a limit up; where there is not enough left of it, uses nothing and gives the
  /// seconds until there is.
  func take(
    _ amount: Int64, of limit: Int64, each period: Int64, _ kind: RateLimitUsage.Limit,
    by network: ClientNetwork
  ) async -> Int? {
    let key = Key(limit: kind, network: network)
    let now = now() * 1_000_000_000
    // One request above all that an address may is taken after a period without any.
    let cost = min(period, Int64((Double(period) * Double(amount) / Double(limit)).rounded()))
    await learn(about: key, at: now)
    let excess = entries.withLock { entries -> Int64 in
      let busyUntil = min(max(entries[key]?.busyUntil ?? 0, now), now + period) + cost
      let excess = busyUntil - now - period
      guard excess <= 0 else { return excess }
      if entries[key] == nil { Self.makeRoom(in: &entries, at: now) }
      entries[key, default: Entry(busyUntil: 0)].busyUntil = busyUntil
      entries[key]?.untold += cost
      return excess
    }
    guard excess > 0 else {
      if pause > .zero { scheduleSync(key) } else { await exchange(key, at: now) }
      return nil
    }
    return Int((excess + 999_999_999) / 1_000_000_000)
  }

  /// Asks the others where that is due.
  private func learn(about key: Key, at now: Int64) async {
    guard !isSingleServer.load(ordering: .relaxed) else { return }
    let isDue = entries.withLock { entries in
      guard let told = entries[key]?.lastTold else { return true }
      return told + pause <= .now
    }
    if isDue { await exchange(key, at: now) }
  }

  /// Tells the others before long, so that they learn of what was used last.
  private func scheduleSync(_ key: Key) {
    guard !isSingleServer.load(ordering: .relaxed) else { return }
    let begins = entries.withLock { entries -> Bool in
      guard let entry = entries[key], !entry.willBeTold else { return false }
      entries[key]?.willBeTold = true
      return true
    }
    guard begins else { return }
    // It belongs to no request, and has no request's deadline.
    Task.detached {
      try? await Task.sleep(for: self.pause)
      self.change(key) { $0.willBeTold = false }
      await self.exchange(key, at: self.now() * 1_000_000_000)
    }
  }

  /// Tells the others what was used here, and learns what was used in all.
  ///
  /// A market whose store does not answer is no reason to refuse or to allow anything.
  private func exchange(_ key: Key, at now: Int64) async {
    let cost = entries.withLock { entries -> Int64 in
      entries[key]?.lastTold = .now
      let cost = entries[key]?.untold ?? 0
      entries[key]?.untold = 0
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
      return change(key) { $0.untold += cost }
    }
    entries.withLock { entries in
      if entries[key] == nil { Self.makeRoom(in: &entries, at: now) }
      var entry = entries[key] ?? Entry(busyUntil: 0)
      // What was used meanwhile comes on top.
      entry.busyUntil = now + rest + entry.untold
      entry.lastTold = .now
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
