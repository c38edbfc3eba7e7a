import MarketModel
import Synchronization

/// Count of what clients hold of a server at this moment: connections, requests, bytes of bodies.
final class ConnectionLimiter: Sendable {
  private struct State {
    var connections = 0
    var connectionsByNetwork: [ClientNetwork: Int] = [:]
    /// Connections of clients that watch, which count for nothing else.
    var watchers = 0
    var watchersByNetwork: [ClientNetwork: Int] = [:]
    var requests = 0
    var bodyBytes = 0
    var bodyBytesByNetwork: [ClientNetwork: Int] = [:]
    var isDraining = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  /// Welcome of a client that has just connected.
  enum AdmissionDecision {
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

  func connect(from network: ClientNetwork) -> AdmissionDecision {
    state.withLock { state in
      let count = state.connectionsByNetwork[network, default: 0]
      guard !knowsClients || count < limits.connectionsOfAddress else { return .refused }
      state.connections += 1
      state.connectionsByNetwork[network] = count + 1
      return .accepted
    }
  }

  func disconnect(from network: ClientNetwork) {
    state.withLock { state in
      state.connections -= 1
      state.connectionsByNetwork.subtract(1, for: network)
    }
  }

  /// Counts a client as one that watches, no longer by its connection; false where enough watch.
  func beginWatching(_ client: ClientNetwork, from network: ClientNetwork) -> Bool {
    state.withLock { state in
      let own = state.watchersByNetwork[client, default: 0]
      guard state.watchers < limits.watchers, own < limits.watchersOfAddress else { return false }
      state.watchers += 1
      state.watchersByNetwork[client] = own + 1
      state.connections -= 1
      state.connectionsByNetwork.subtract(1, for: network)
      return true
    }
  }

  /// Counts a client that watched by its connection again.
  func endWatching(_ client: ClientNetwork, from network: ClientNetwork) {
    state.withLock { state in
      state.watchers -= 1
      state.watchersByNetwork.subtract(1, for: client)
      state.connections += 1
      state.connectionsByNetwork[network, default: 0] += 1
    }
  }

  /// Counts further bytes of a body that have arrived from an address; false where there is no room
  /// for them, and then they are not counted.
  func hold(_ count: Int, for network: ClientNetwork) -> Bool {
    guard count > 0 else { return true }
    return state.withLock { state in
      let own = state.bodyBytesByNetwork[network, default: 0] + count
      guard state.bodyBytes + count <= limits.allBodies, own <= limits.bodiesOfAddress else {
        return false
      }
      state.bodyBytes += count
      state.bodyBytesByNetwork[network] = own
      return true
    }
  }

  func release(_ count: Int, of network: ClientNetwork) {
    guard count > 0 else { return }
    state.withLock { state in
      state.bodyBytes -= count
      state.bodyBytesByNetwork.subtract(count, for: network)
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

/// Bytes of answers that clients have not taken yet, of all and of each network.
struct PendingOutput {
  private let limit: Int
  private let limitOfNetwork: Int
  private var total = 0
  private var counts: [ClientNetwork: Int] = [:]

  /// Takes how many bytes there may be, in all and of one network.
  init(limit: Int, ofNetwork limitOfNetwork: Int) {
    self.limit = limit
    self.limitOfNetwork = limitOfNetwork
  }

  mutating func add(_ count: Int, of network: ClientNetwork) {
    total += count
    counts[network, default: 0] += count
  }

  mutating func remove(_ count: Int, of network: ClientNetwork) {
    guard count > 0 else { return }
    total -= count
    counts.subtract(count, for: network)
  }

  /// The network that has to give bytes up after one has left some: that one where it has too many of
  /// its own, else the one with most where all have too many; nil where there is room.
  func crowded(after network: ClientNetwork) -> ClientNetwork? {
    if counts[network, default: 0] > limitOfNetwork { return network }
    return total > limit ? counts.max { $0.value < $1.value }?.key : nil
  }
}

extension [ClientNetwork: Int] {
  /// Takes from a number, and forgets it at zero.
  fileprivate mutating func subtract(_ count: Int, for key: ClientNetwork) {
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
/// for all; the next one is of the address with fewest, in the order in which they came.
struct FairQueue {
  private let limit: Int
  private let limitOfAddress: Int
  private var counts: [ClientNetwork: Int] = [:]
  private var total = 0
  /// Requests that wait, by their numbers.
  private var queue: [(number: UInt64, network: ClientNetwork)] = []

  /// Takes how many requests are answered at a time, in all and of one address.
  init(limit: Int, ofAddress limitOfAddress: Int) {
    self.limit = limit
    self.limitOfAddress = limitOfAddress
  }

  /// Takes a turn for a request, or puts it at the end of the queue; true where it may be answered
  /// now.
  mutating func take(_ number: UInt64, for network: ClientNetwork) -> Bool {
    guard hasRoom(for: network) else {
      queue.append((number, network))
      return false
    }
    begin(network)
    return true
  }

  /// Gives a turn back, and gives the request whose turn it is now; nil where none waits that may
  /// go on.
  mutating func end(_ network: ClientNetwork) -> UInt64? {
    total -= 1
    counts[network] = counts[network].flatMap { $0 > 1 ? $0 - 1 : nil }
    let waiting = queue.indices.filter { hasRoom(for: queue[$0].network) }
    // Of several with the same number that is the first one.
    guard
      let index = waiting.min(by: {
        counts[queue[$0].network, default: 0] < counts[queue[$1].network, default: 0]
      })
    else { return nil }
    let next = queue.remove(at: index)
    begin(next.network)
    return next.number
  }

  /// Takes a request out of the queue whose client has gone.
  mutating func leave(_ number: UInt64) { queue.removeAll { $0.number == number } }

  private mutating func begin(_ network: ClientNetwork) {
    total += 1
    counts[network, default: 0] += 1
  }

  private func hasRoom(for network: ClientNetwork) -> Bool {
    total < limit && counts[network, default: 0] < limitOfAddress
  }
}
