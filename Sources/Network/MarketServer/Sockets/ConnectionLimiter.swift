import MarketModel
import Synchronization

/// Counters of what clients hold of a server: connections, requests, bytes of bodies.
final class ConnectionLimiter: Sendable {
  private struct State {
    var connections = 0
    var connectionsByNetwork: [ClientNetwork: Int] = [:]
    /// Connections with a change subscription; not included in `connections`.
    var watchers = 0
    var watchersByNetwork: [ClientNetwork: Int] = [:]
    var requests = 0
    var bodyBytes = 0
    var bodyBytesByNetwork: [ClientNetwork: Int] = [:]
    var isDraining = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  /// Decision about a new connection.
  enum AdmissionDecision {
    case accepted
    /// The client's network has the maximum number of connections.
    case refused
  }

  private let limits: ServerLimits
  /// Whether addresses are those of clients; false behind a proxy, whose address they all share.
  private let knowsClients: Bool
  private let state = Mutex(State())

  init(_ limits: ServerLimits, knowsClients: Bool) {
    self.limits = limits
    self.knowsClients = knowsClients
  }

  /// Whether the server closes each connection after its next response.
  var isDraining: Bool { state.withLock { $0.isDraining } }

  /// Whether another connection may be accepted.
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

  /// Counts a connection as a subscription; false if the maximum of all or of the network is reached.
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

  /// Counts a connection as an ordinary one again.
  func endWatching(_ client: ClientNetwork, from network: ClientNetwork) {
    state.withLock { state in
      state.watchers -= 1
      state.watchersByNetwork.subtract(1, for: client)
      state.connections += 1
      state.connectionsByNetwork[network, default: 0] += 1
    }
  }

  /// Counts `count` received bytes of a body; false if a limit would be exceeded, and then they are not
  /// counted.
  func reserve(_ count: Int, for network: ClientNetwork) -> Bool {
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

  /// Makes each connection end with its next response.
  func beginDraining() { state.withLock { $0.isDraining = true } }

  /// Waits until no request is being received or answered for a connected client.
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

/// Bytes of responses that clients have not received yet, in total and by network.
struct PendingOutput {
  private let limit: Int
  private let limitOfNetwork: Int
  private var total = 0
  private var counts: [ClientNetwork: Int] = [:]

  /// Creates the counters with the maximum in bytes, in total and of one network.
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

  /// Network that must release bytes after `network` has added some: `network` if it exceeds its own
  /// limit, else the one with most if the total does; nil if no limit is exceeded.
  func crowded(after network: ClientNetwork) -> ClientNetwork? {
    if counts[network, default: 0] > limitOfNetwork { return network }
    return total > limit ? counts.max { $0.value < $1.value }?.key : nil
  }
}

extension [ClientNetwork: Int] {
  /// Subtracts from a count, and removes it at zero.
  fileprivate mutating func subtract(_ count: Int, for key: ClientNetwork) {
    guard let value = self[key] else { return }
    self[key] = value > count ? value - count : nil
  }
}

extension Array {
  /// Empties the array and returns its elements.
  fileprivate mutating func removeEverything() -> [Element] {
    defer { self = [] }
    return self
  }
}
