import MarketModel
import Synchronization

/// Memory of values that were found out of one version of the market's data; another version begins
/// anew.
///
/// Where it is told to, it keeps what it knew of earlier versions for those who ask while the market
/// does not answer.
final class VersionedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct State {
    var version: Int64?
    var values: [Key: Value] = [:]
    var cost = 0
    /// Values that somebody is finding out just now; others wait for the same.
    var searches: [Key: InFlightLookup] = [:]
    /// What was known before, where that is kept.
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

  /// Finding of a value, which has the time of the one who has begun it.
  private struct InFlightLookup {
    /// What is left of its time when it gives up at the earliest.
    private static var lastWord: Duration { .milliseconds(500) }

    let task: Task<Value, Never>
    let deadline: ContinuousClock.Instant?

    /// Whether it may have come to nothing for want of time that the present request still has.
    var hasExpired: Bool {
      let now = ContinuousClock.now
      guard let deadline, deadline - Self.lastWord <= now else { return false }
      return RequestDeadline.deadline.map { $0 > deadline && $0 - Self.lastWord > now } ?? true
    }
  }

  private enum Finding {
    case known(Value)
    /// Somebody else finds it out already.
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

  /// Takes what all values together may cost, and what one costs; nil for one that is not to be
  /// kept.
  ///
  /// With a clock, earlier values are kept, which may cost as much again.
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

  /// The value where it is known; without a version nothing is.
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

  /// The value that was right last, and the time until which it is known to have been right; nil where
  /// none is kept that was still right after some time.
  ///
  /// For those who ask while nobody can tell the version.
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

  /// The value, found out once however many ask for it at a time.
  ///
  /// The version of the data was read before this call, so what is found out now is at least as
  /// new. What somebody else could not find out in time is looked for again by who has more of it.
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
      // What was waited for meanwhile may have been of another version.
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

  /// Keeps a value that was found out by the way, unless the data is of another version by now.
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

/// Values of earlier versions, each with the time until which it is known to have been right.
///
/// In two halves, of which the older one goes where there is no more room: so no value is ever looked
/// for to be forgotten.
private struct StaleEntries<Key: Hashable & Sendable, Value: Sendable> {
  private typealias Half = [Key: (value: Value, until: ContinuousClock.Instant)]

  private let limit: Int
  private var newer: Half = [:]
  private var older: Half = [:]
  private var cost = 0
  /// Time at which the present version was known last to be the market's.
  var held: ContinuousClock.Instant

  init(limit: Int, held: ContinuousClock.Instant) {
    self.limit = limit
    self.held = held
  }

  /// Takes the values of the version that was the market's until now.
  mutating func take(_ values: [Key: Value], costing cost: Int) {
    if self.cost + cost > limit / 2 { (older, newer, self.cost) = (newer, [:], 0) }
    for (key, value) in values { newer[key] = (value, held) }
    self.cost += cost
  }

  func value(for key: Key) -> (Value, ContinuousClock.Instant)? {
    (newer[key] ?? older[key]).map { ($0.value, $0.until) }
  }
}

/// Meters of one memory.
struct CacheMetrics: Sendable {
  let hits: CounterMetric
  let misses: CounterMetric
  /// Questions that waited for the same one of somebody else.
  let shared: CounterMetric
  /// Questions that were answered with what was right before the market fell silent.
  let stale: CounterMetric

  init(_ name: String, _ registry: MetricsRegistry) {
    hits = registry.counter(.remembered, name, "hit")
    misses = registry.counter(.remembered, name, "miss")
    shared = registry.counter(.remembered, name, "shared")
    stale = registry.counter(.remembered, name, "stale")
  }
}
