import MarketModel
import Synchronization

/// What makes an entry of a cache stale.
enum CacheLifetime: Int {
  /// Another data version of the market.
  case dataVersion
  /// Another hour, in hours since 1970.
  case hour
}

/// Cache of computed values, each for one version of its lifetime; another version clears them.
///
/// With a clock, values of superseded data versions are kept as stale entries.
final class VersionedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// Entries of one lifetime.
  private struct Entries {
    var version: Int64?
    var values: [Key: Value] = [:]
    var cost = 0
    /// Running computations; further requests for a key wait for its computation.
    var computations: [Key: Computation] = [:]
    /// Values of superseded versions; nil if they are not kept.
    var stale: StaleEntries<Key, Value>?

    mutating func setVersion(_ version: Int64, at now: ContinuousClock.Instant?) {
      if self.version != version {
        clear()
        self.version = version
        computations = [:]
      }
      if let now { stale?.lastCurrent = now }
    }

    mutating func clear() {
      stale?.add(values, costing: cost)
      (values, cost) = ([:], 0)
    }
  }

  /// Running computation, with the deadline of the request that started it.
  private struct Computation {
    /// Time before its deadline at which a computation may give up.
    private static var responseMargin: Duration { .milliseconds(500) }

    let task: Task<Value, Never>
    let deadline: ContinuousClock.Instant?

    /// Whether the computation may have failed for lack of time that the current request still has.
    var hasExpired: Bool {
      let now = ContinuousClock.now
      guard let deadline, deadline - Self.responseMargin <= now else { return false }
      return RequestDeadline.deadline.map { $0 > deadline && $0 - Self.responseMargin > now }
        ?? true
    }
  }

  private enum Lookup {
    case cached(Value)
    /// Another request computes the value.
    case running(Computation)
    case started(Computation)
    /// The data has changed since the version was read.
    case outdated
  }

  /// Maximum total cost by lifetime; beyond it the entries are cleared.
  private let limits: [Int]
  private let lifetime: @Sendable (Key) -> CacheLifetime
  private let cost: @Sendable (Value) -> Int?
  private let meters: @Sendable (Key) -> CacheMetrics?
  private let now: (@Sendable () -> ContinuousClock.Instant)?
  /// Entries by lifetime.
  private let entries: Mutex<[Entries]>

  /// Creates a cache.
  ///
  /// `limit` is the maximum total cost of a data version, `hourLimit` that of an hour; `cost` returns nil
  /// for a value that is not cached. With the clock `now`, stale values are kept up to `limit`.
  init(
    limit: Int, hourLimit: Int = 0,
    lifetime: @escaping @Sendable (Key) -> CacheLifetime = { _ in .dataVersion },
    meters: @escaping @Sendable (Key) -> CacheMetrics? = { _ in nil },
    keepingStaleBy now: (@Sendable () -> ContinuousClock.Instant)? = nil,
    cost: @escaping @Sendable (Value) -> Int?
  ) {
    limits = [limit, hourLimit]
    (self.lifetime, self.cost, self.meters, self.now) = (lifetime, cost, meters, now)
    let stale = now.map { StaleEntries<Key, Value>(limit: limit, lastCurrent: $0()) }
    entries = Mutex([Entries(stale: stale), Entries()])
  }

  /// Returns the cached value; nil if there is none or `version` is nil.
  func value(for key: Key, at version: Int64?) -> Value? {
    guard let version else { return nil }
    let (index, now) = (lifetime(key).rawValue, now?())
    let known = entries.withLock { entries in
      entries[index].setVersion(version, at: now)
      return entries[index].values[key]
    }
    if known != nil { meters(key)?.hits.add() }
    return known
  }

  /// Returns the last valid value and the time until which it was known to be valid; nil if that is
  /// before `earliest`.
  ///
  /// Used while the data version is unknown.
  func lastValue(
    for key: Key, after earliest: ContinuousClock.Instant
  ) -> (value: Value, until: ContinuousClock.Instant)? {
    let index = lifetime(key).rawValue
    let last = entries.withLock { entries -> (Value, ContinuousClock.Instant)? in
      guard let until = entries[index].stale?.lastCurrent else { return nil }
      return entries[index].values[key].map { ($0, until) } ?? entries[index].stale?.value(for: key)
    }
    guard let last, last.1 > earliest else { return nil }
    meters(key)?.stale.add()
    return last
  }

  /// Returns the value, computed once for all concurrent requests of a key.
  ///
  /// `version` was read before this call, so the value is at least as new. A computation that ran out
  /// of time is repeated by a waiting request with a later deadline.
  func value(
    for key: Key, at version: Int64?, computing compute: @escaping @Sendable () async -> Value
  ) async -> Value {
    let meters = meters(key)
    guard let version else {
      meters?.misses.add()
      return await compute()
    }
    var isFirst = true
    while true {
      defer { isFirst = false }
      switch lookUp(key, at: version, isFirst: isFirst, compute) {
      case .cached(let value):
        meters?.hits.add()
        return value
      case .running(let computation):
        meters?.shared.add()
        let value = await computation.task.value
        guard cost(value) == nil, computation.hasExpired else { return value }
      case .started(let computation):
        meters?.misses.add()
        return await computation.task.value
      case .outdated:
        meters?.misses.add()
        return await compute()
      }
    }
  }

  private func lookUp(
    _ key: Key, at version: Int64, isFirst: Bool, _ compute: @escaping @Sendable () async -> Value
  ) -> Lookup {
    let (index, now) = (lifetime(key).rawValue, now?())
    return entries.withLock { entries -> Lookup in
      // The computation that was waited for may have been of another version.
      guard isFirst || entries[index].version == version else { return .outdated }
      entries[index].setVersion(version, at: now)
      if let known = entries[index].values[key] { return .cached(known) }
      if let running = entries[index].computations[key] { return .running(running) }
      let task = Task {
        let value = await compute()
        self.store(value, for: key, at: version)
        return value
      }
      let computation = Computation(task: task, deadline: RequestDeadline.deadline)
      entries[index].computations[key] = computation
      return .started(computation)
    }
  }

  /// Caches a value unless the version has changed.
  func store(_ value: Value, for key: Key, at version: Int64) {
    let (index, cost) = (lifetime(key).rawValue, cost(value))
    entries.withLock { entries in
      guard entries[index].version == version else { return }
      entries[index].computations[key] = nil
      guard let cost, cost <= limits[index] else { return }
      if entries[index].cost + cost > limits[index] { entries[index].clear() }
      entries[index].values[key] = value
      entries[index].cost += cost
    }
  }
}

/// Values of superseded versions, each with the time until which it was known to be valid.
///
/// They are stored in two generations; the older is dropped when space runs out, so eviction needs no
/// search.
private struct StaleEntries<Key: Hashable & Sendable, Value: Sendable> {
  private typealias Half = [Key: (value: Value, until: ContinuousClock.Instant)]

  private let limit: Int
  private var newer: Half = [:]
  private var older: Half = [:]
  private var cost = 0
  /// Last time at which the present version was known to be current.
  var lastCurrent: ContinuousClock.Instant

  init(limit: Int, lastCurrent: ContinuousClock.Instant) {
    (self.limit, self.lastCurrent) = (limit, lastCurrent)
  }

  /// Adds the values of the version that was current until now.
  mutating func add(_ values: [Key: Value], costing cost: Int) {
    if self.cost + cost > limit / 2 { (older, newer, self.cost) = (newer, [:], 0) }
    for (key, value) in values { newer[key] = (value, lastCurrent) }
    self.cost += cost
  }

  func value(for key: Key) -> (Value, ContinuousClock.Instant)? {
    (newer[key] ?? older[key]).map { ($0.value, $0.until) }
  }
}
