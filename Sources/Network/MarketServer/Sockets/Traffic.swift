import Synchronization

/// Count of what clients hold of a server at this moment: connections, requests, bytes of bodies.
final class Traffic: Sendable {
  private struct State {
    var connections = 0
    var connectionsByAddress: [String: Int] = [:]
    /// Connections of clients that watch, which count for nothing else.
    var watchers = 0
    var watchersByAddress: [String: Int] = [:]
    var requests = 0
    var bodyBytes = 0
    var bodyBytesByAddress: [String: Int] = [:]
    var isDraining = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  /// Welcome of a client that has just connected.
  enum Welcome {
    case accepted
    /// Its address has as many connections as one may have.
    case refused
  }

  private let limits: ServerLimits
  /// Whether addresses are those of clients, and not a proxy's that all of them come through.
  private let knowsClients: Bool
  private let state = Mutex(State())

  init(_ limits: ServerLimits, knowsClients: Bool) {
    self.limits = limits
    self.knowsClients = knowsClients
  }

  /// Whether every answer is the last one of its connection.
  var isDraining: Bool { state.withLock { $0.isDraining } }

  /// Whether another connection may be taken from the system's queue.
  var hasRoom: Bool { state.withLock { $0.connections < limits.connections } }

  func connect(from address: String) -> Welcome {
    state.withLock { state in
      let count = state.connectionsByAddress[address, default: 0]
      guard !knowsClients || count < limits.connectionsOfAddress else { return .refused }
      state.connections += 1
      state.connectionsByAddress[address] = count + 1
      return .accepted
    }
  }

  func disconnect(from address: String) {
    state.withLock { state in
      state.connections -= 1
      state.connectionsByAddress.subtract(1, for: address)
    }
  }

  /// Counts a client as one that watches, no longer by its connection; false where enough watch.
  func beginWatching(_ client: String, from address: String) -> Bool {
    state.withLock { state in
      let own = state.watchersByAddress[client, default: 0]
      guard state.watchers < limits.watchers, own < limits.watchersOfAddress else { return false }
      state.watchers += 1
      state.watchersByAddress[client] = own + 1
      state.connections -= 1
      state.connectionsByAddress.subtract(1, for: address)
      return true
    }
  }

  /// Counts a client that watched by its connection again.
  func endWatching(_ client: String, from address: String) {
    state.withLock { state in
      state.watchers -= 1
      state.watchersByAddress.subtract(1, for: client)
      state.connections += 1
      state.connectionsByAddress[address, default: 0] += 1
    }
  }

  /// Counts further bytes of a body that have arrived from an address; false where there is no room
  /// for them, and then they are not counted.
  func hold(_ count: Int, for address: String) -> Bool {
    guard count > 0 else { return true }
    return state.withLock { state in
      let own = state.bodyBytesByAddress[address, default: 0] + count
      guard state.bodyBytes + count <= limits.allBodies, own <= limits.bodiesOfAddress else {
        return false
      }
      state.bodyBytes += count
      state.bodyBytesByAddress[address] = own
      return true
    }
  }

  func release(_ count: Int, of address: String) {
    guard count > 0 else { return }
    state.withLock { state in
      state.bodyBytes -= count
      state.bodyBytesByAddress.subtract(count, for: address)
    }
  }

  func beginRequest() { state.withLock { $0.requests += 1 } }

  func endRequest() {
    let waiters = state.withLock { state in
      state.requests -= 1
      return state.requests == 0 ? state.waiters.removeEverything() : []
    }
    for waiter in waiters { waiter.resume() }
  }

  /// From now on each answer is the last one of its connection.
  func beginDraining() { state.withLock { $0.isDraining = true } }

  /// Returns when no request is being received or answered for a client that is still there.
  func drain() async {
    await withCheckedContinuation { continuation in
      let isIdle = state.withLock { state in
        state.isDraining = true
        if state.requests > 0 { state.waiters.append(continuation) }
        return state.requests == 0
      }
      if isIdle { continuation.resume() }
    }
  }
}

extension [String: Int] {
  /// Takes from a number, and forgets it at zero.
  fileprivate mutating func subtract(_ count: Int, for key: String) {
    guard let value = self[key] else { return }
    self[key] = value > count ? value - count : nil
  }
}

extension Array {
  /// Empties the array and gives what was in it.
  fileprivate mutating func removeEverything() -> [Element] {
    defer { self = [] }
    return self
  }
}

/// Order in which requests are answered where many come at once: so many at a time for one address and
/// for all, the others in the order in which they came.
struct Turns {
  private let limit: Int
  private let limitOfAddress: Int
  private var counts: [String: Int] = [:]
  private var total = 0
  /// Requests that wait, by their numbers.
  private var queue: [(number: UInt64, address: String)] = []

  /// Takes how many requests are answered at a time, in all and of one address.
  init(limit: Int, ofAddress limitOfAddress: Int) {
    self.limit = limit
    self.limitOfAddress = limitOfAddress
  }

  /// Takes a turn for a request, or puts it at the end of the queue; true where it may be answered
  /// now.
  mutating func take(_ number: UInt64, for address: String) -> Bool {
    guard hasRoom(for: address) else {
      queue.append((number, address))
      return false
    }
    begin(address)
    return true
  }

  /// Gives a turn back, and gives the request whose turn it is now; nil where none waits that may
  /// go on.
  mutating func end(_ address: String) -> UInt64? {
    total -= 1
    counts[address] = counts[address].flatMap { $0 > 1 ? $0 - 1 : nil }
    guard let index = queue.firstIndex(where: { hasRoom(for: $0.address) }) else { return nil }
    let next = queue.remove(at: index)
    begin(next.address)
    return next.number
  }

  /// Takes a request out of the queue whose client has gone.
  mutating func leave(_ number: UInt64) { queue.removeAll { $0.number == number } }

  private mutating func begin(_ address: String) {
    total += 1
    counts[address, default: 0] += 1
  }

  private func hasRoom(for address: String) -> Bool {
    total < limit && counts[address, default: 0] < limitOfAddress
  }
}
