import MarketModel
import Synchronization

/// Memory of values that were found out of one version of the market's data; another version begins
/// anew.
final class VersionedMemory<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct State {
    var version: Int64?
    var values: [Key: Value] = [:]
    var cost = 0
    /// Values that somebody is finding out just now; others wait for the same.
    var searches: [Key: Task<Value, Never>] = [:]

    mutating func turn(to version: Int64) {
      guard self.version != version else { return }
      self = State(version: version)
    }
  }

  private enum Finding {
    case known(Value)
    /// Somebody else finds it out already.
    case searched(Task<Value, Never>)
    case begun(Task<Value, Never>)
  }

  private let limit: Int
  private let cost: @Sendable (Value) -> Int?
  private let meters: MemoryMeters?
  private let state = Mutex(State())

  /// Takes what all values together may cost, and what one costs; nil for one that is not to be
  /// kept.
  init(
    limit: Int, meters: MemoryMeters? = nil, cost: @escaping @Sendable (Value) -> Int?
  ) {
    self.limit = limit
    self.meters = meters
    self.cost = cost
  }

  /// The value where it is known; without a version nothing is.
  func value(for key: Key, at version: Int64?) -> Value? {
    guard let version else { return nil }
    let known = state.withLock { state in
      state.turn(to: version)
      return state.values[key]
    }
    if known != nil { meters?.hits.add() }
    return known
  }

  /// The value, found out once however many ask for it at a time.
  ///
  /// The version of the data was read before this call, so what is found out now is at least as
  /// new.
  func value(
    for key: Key, at version: Int64?, finding find: @escaping @Sendable () async -> Value
  ) async -> Value {
    guard let version else {
      meters?.misses.add()
      return await find()
    }
    let finding = state.withLock { state -> Finding in
      state.turn(to: version)
      if let known = state.values[key] { return .known(known) }
      if let search = state.searches[key] { return .searched(search) }
      let search = Task {
        let value = await find()
        self.keep(value, for: key, at: version)
        return value
      }
      state.searches[key] = search
      return .begun(search)
    }
    switch finding {
    case .known(let value):
      meters?.hits.add()
      return value
    case .searched(let search):
      meters?.shared.add()
      return await search.value
    case .begun(let search):
      meters?.misses.add()
      return await search.value
    }
  }

  /// Keeps a value that was found out by the way, unless the data is of another version by now.
  func keep(_ value: Value, for key: Key, at version: Int64) {
    let cost = cost(value)
    state.withLock { state in
      guard state.version == version else { return }
      state.searches[key] = nil
      guard let cost, cost <= limit else { return }
      if state.cost + cost > limit {
        state.values = [:]
        state.cost = 0
      }
      state.values[key] = value
      state.cost += cost
    }
  }
}

/// Meters of one memory.
struct MemoryMeters: Sendable {
  let hits: CountMeter
  let misses: CountMeter
  /// Questions that waited for the same one of somebody else.
  let shared: CountMeter

  init(_ name: String, _ measures: Measures) {
    hits = measures.counter(.remembered, name, "hit")
    misses = measures.counter(.remembered, name, "miss")
    shared = measures.counter(.remembered, name, "shared")
  }
}
