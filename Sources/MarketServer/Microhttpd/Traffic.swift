import Synchronization

/// What is going on in a server at this moment.
final class Traffic: Sendable {
  fileprivate struct State {
    var peers: [ObjectIdentifier: Peer] = [:]
    var exchanges: [ObjectIdentifier: Exchange] = [:]
    var bodyBytes = 0
    var isDraining = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// Whether every answer is the last one of its connection.
  var isDraining: Bool { state.withLock { $0.isDraining } }

  /// From now on each answer is the last one of its connection.
  func beginDraining() { state.withLock { $0.isDraining = true } }

  func add(_ peer: Peer) {
    state.withLock { $0.peers[ObjectIdentifier(peer)] = peer }
  }

  /// Forgets a connection; after this its socket may be another one's.
  func remove(_ peer: Peer) {
    state.withLock { _ = $0.peers.removeValue(forKey: ObjectIdentifier(peer)) }
  }

  /// Breaks off the connections whose time is over.
  func endSlowPeers(at now: UInt64) {
    state.withLock { state in
      for peer in state.peers.values { peer.end(at: now) }
    }
  }

  /// Breaks off all connections that are waiting for their clients.
  func endPeers() { endSlowPeers(at: .max - 1) }

  /// Takes note of a request whose headers are there.
  ///
  /// - Parameters:
  ///   - exchange: the request.
  ///   - bodyBytes: what its body may have.
  ///   - limit: what all bodies together may have.
  /// - Returns: whether there is room for the body.
  func begin(_ exchange: Exchange, bodyBytes: Int, limit: Int) -> Bool {
    state.withLock { state in
      state.exchanges[ObjectIdentifier(exchange)] = exchange
      guard state.bodyBytes + bodyBytes <= limit else { return false }
      state.bodyBytes += bodyBytes
      return true
    }
  }

  func end(_ exchange: Exchange) {
    let waiters = state.withLock { state in
      guard state.exchanges.removeValue(forKey: ObjectIdentifier(exchange)) != nil else {
        return [CheckedContinuation<Void, Never>]()
      }
      state.bodyBytes -= exchange.reserved
      return state.takeWaitersIfIdle()
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Returns when no request is being received or answered.
  func drain() async {
    await withCheckedContinuation { continuation in
      let waiters = state.withLock { state in
        state.isDraining = true
        state.waiters.append(continuation)
        return state.takeWaitersIfIdle()
      }
      for waiter in waiters { waiter.resume() }
    }
  }

  /// The requests that are being received or answered.
  var exchanges: [Exchange] { state.withLock { Array($0.exchanges.values) } }
}

extension Traffic.State {
  fileprivate mutating func takeWaitersIfIdle() -> [CheckedContinuation<Void, Never>] {
    guard exchanges.isEmpty else { return [] }
    defer { waiters = [] }
    return waiters
  }
}
