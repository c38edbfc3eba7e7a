import MarketModel
import Synchronization

/// Cache of values computed from one version of the market's data; another version clears it.
///
/// With a clock, values of earlier versions are kept as stale entries.
final class VersionedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct State {
    var version: Int64?
    var values: [Key: Value] = [:]
    var cost = 0
    /// Running computations; further requests for a key wait for its computation.
    var searches: [Key: InFlightLookup] = [:]
    /// Values of earlier versions; nil if they are not kept.
    var left: StaleEntries<Key, Value>?

    mutating func turn(to version: Int64, at now: ContinuousClock.Instant?) {
      if self.version != version {
        clear()
        self.version = version
        searches = [:]
      }
      if let now { left?.held = now }
    }

    mutating func clear() {
      left?.take(values, costing: cost)
      values = [:]
      cost = 0
    }
  }

  /// Running computation, with the deadline of the request that started it.
  private struct InFlightLookup {
    /// Time before its deadline at which a computation may give up.
    private static var lastWord: Duration { .milliseconds(500) }

    let task: Task<Value, Never>
    let deadline: ContinuousClock.Instant?

    /// Whether the computation may have failed for lack of time that the current request still has.
    var hasExpired: Bool {
      let now = ContinuousClock.now
      guard let deadline, deadline - Self.lastWord <= now else { return false }
      return RequestDeadline.deadline.map { $0 > deadline && $0 - Self.lastWord > now } ?? true
    }
  }

  private enum Finding {
    case known(Value)
    /// Another request computes the value.
    case searched(InFlightLookup)
    case begun(InFlightLookup)
    /// The data has changed since the version was read.
    case outdated
  }

  private let limit: Int
  private let cost: @Sendable (Value) -> Int?
  private let meters: CacheMetrics?
  private let now: (@Sendable () -> ContinuousClock.Instant)?
  private let state: Mutex<State>

  /// Creates a cache.
  ///
  /// `limit` is the maximum total cost, beyond which it is cleared; `cost` returns nil for a value that
  /// is not cached.
  ///
  /// With the clock `now`, stale values are kept up to the same cost.
  init(
    limit: Int, meters: CacheMetrics? = nil,
    keepingEarlierBy now: (@Sendable () -> ContinuousClock.Instant)? = nil,
    cost: @escaping @Sendable (Value) -> Int?
  ) {
    self.limit = limit
    self.meters = meters
    self.now = now
    self.cost = cost
    state = Mutex(State(left: now.map { StaleEntries(limit: limit, held: $0()) }))
  }

  /// Returns the cached value; nil if there is none or `version` is nil.
  func value(for key: Key, at version: Int64?) -> Value? {
    guard let version else { return nil }
    let now = now?()
    let known = state.withLock { state in
      state.turn(to: version, at: now)
      return state.values[key]
    }
    if known != nil { meters?.hits.add() }
    return known
  }

  /// Returns the last valid value and the time until which it was known to be valid; nil if that is
  /// before `earliest`.
  ///
  /// Used while the data version is unknown.
  func lastValue(
    for key: Key, after earliest: ContinuousClock.Instant
  ) -> (value: Value, until: ContinuousClock.Instant)? {
    let last = state.withLock { state -> (Value, ContinuousClock.Instant)? in
      if let held = state.left?.held, let value = state.values[key] { return (value, held) }
      return state.left?.value(for: key)
    }
    guard let last, last.1 > earliest else { return nil }
    meters?.stale.add()
    return last
  }

  /// Returns the value, computed once for all concurrent requests of a key.
  ///
  /// `version` was read before this call, so the value is at least as new. A computation that ran out
  /// of time is repeated by a waiting request with a later deadline.
  func value(
    for key: Key, at version: Int64?, finding find: @escaping @Sendable () async -> Value
  ) async -> Value {
    guard let version else {
      meters?.misses.add()
      return await find()
    }
    var isFirst = true
    while true {
      defer { isFirst = false }
      switch self.finding(of: key, at: version, isFirst: isFirst, find) {
      case .known(let value):
        meters?.hits.add()
        return value
      case .searched(let search):
        meters?.shared.add()
        let value = await search.task.value
        guard cost(value) == nil, search.hasExpired else { return value }
      case .begun(let search):
        meters?.misses.add()
        return await search.task.value
      case .outdated:
        meters?.misses.add()
        return await find()
      }
    }
  }

  private func finding(
    of key: Key, at version: Int64, isFirst: Bool, _ find: @escaping @Sendable () async -> Value
  ) -> Finding {
    let now = now?()
    return state.withLock { state -> Finding in
      // The computation that was waited for may have been of another version.
      guard isFirst || state.version == version else { return .outdated }
      state.turn(to: version, at: now)
      if let known = state.values[key] { return .known(known) }
      if let search = state.searches[key] { return .searched(search) }
      let task = Task {
        let value = await find()
        self.keep(value, for: key, at: version)
        return value
      }
      let search = InFlightLookup(task: task, deadline: RequestDeadline.deadline)
      state.searches[key] = search
      return .begun(search)
    }
  }

  /// Caches a value unless the version has changed.
  func keep(_ value: Value, for key: Key, at version: Int64) {
    let cost = cost(value)
    state.withLock { state in
      guard state.version == version else { return }
      state.searches[key] = nil
      guard let cost, cost <= limit else { return }
      if state.cost + cost > limit { state.clear() }
      state.values[key] = value
      state.cost += cost
    }
  }
}

/// Values of earlier versions, each with the time until which it was known to be valid.
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
  var held: ContinuousClock.Instant

  init(limit: Int, held: ContinuousClock.Instant) {
    self.limit = limit
    self.held = held
  }

  /// Adds the values of the version that was current until now.
  mutating func take(_ values: [Key: Value], costing cost: Int) {
    if self.cost + cost > limit / 2 { (older, newer, self.cost) = (newer, [:], 0) }
    for (key, value) in values { newer[key] = (value, held) }
    self.cost += cost
  }

  func value(for key: Key) -> (Value, ContinuousClock.Instant)? {
    (newer[key] ?? older[key]).map { ($0.value, $0.until) }
  }
}

/// Metrics of one cache.
struct CacheMetrics: Sendable {
  let hits: CounterMetric
  let misses: CounterMetric
  /// Requests that waited for a concurrent computation.
  let shared: CounterMetric
  /// Requests answered with a stale value.
  let stale: CounterMetric

  init(_ name: String, _ registry: MetricsRegistry) {
    hits = registry.counter(.remembered, name, "hit")
    misses = registry.counter(.remembered, name, "miss")
    shared = registry.counter(.remembered, name, "shared")
    stale = registry.counter(.remembered, name, "stale")
  }
}
