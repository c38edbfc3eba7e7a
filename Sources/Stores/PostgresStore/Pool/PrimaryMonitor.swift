import Dispatch
import Synchronization

/// Monitor of which server of a database takes writes, for connections that do not notice a failover: a
/// server that hangs, or that the network no longer reaches, closes nothing.
///
/// Each new connection reports its server. Where that has changed, all connections to the previous one are
/// closed. While a call takes long, a connection is made every now and then to find out.
final class PrimaryMonitor: Sendable {
  private struct State {
    /// The server that was found last, by its own identity.
    var server: String?
    var isConnecting = false
    var nextCheck = DispatchTime(uptimeNanoseconds: 0)
    var disconnects: [@Sendable (String) -> Void] = []
  }

  /// Duration of a call after which the server is checked.
  static let suspicion = Duration.seconds(1)
  private static let pause = DispatchTimeInterval.milliseconds(500)

  private let address: String
  private let timeoutMilliseconds: Int
  private let preferred: PreferredHost
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "market.postgres.primary")

  /// Nil where the address leads to any of several equal servers.
  init?(over address: String, timeoutMilliseconds: Int, _ preferred: PreferredHost) {
    guard PostgresAddress(address).leadsToPrimary else { return nil }
    self.address = address
    self.timeoutMilliseconds = timeoutMilliseconds
    self.preferred = preferred
  }

  /// Adds a closure that closes connections to all servers but the given one.
  func add(_ disconnect: @escaping @Sendable (_ server: String) -> Void) {
    state.withLock { $0.disconnects.append(disconnect) }
  }

  /// Records the server of a new connection; nil is ignored.
  func didConnect(to server: String?) {
    guard let server else { return }
    let disconnects = state.withLock { state -> [@Sendable (String) -> Void] in
      defer { state.server = server }
      return state.server == nil || state.server == server ? [] : state.disconnects
    }
    for disconnect in disconnects { disconnect(server) }
  }

  /// Whether another server than this one was found since.
  func hasMoved(from server: String?) -> Bool {
    guard let server, let present = state.withLock({ $0.server }) else { return false }
    return present != server
  }

  /// Checks, in the background, whether another server has taken over; called while a call takes long.
  func checkForFailover() {
    let begins = state.withLock { state in
      guard !state.isConnecting, state.nextCheck <= .now() else { return false }
      state.isConnecting = true
      return true
    }
    if begins { queue.async { self.connect() } }
  }

  private func connect() {
    var options = PostgresOptions(timeoutMilliseconds: timeoutMilliseconds)
    options.preferred = preferred
    // Where no server can be reached nothing has changed.
    let found = try? PostgresConnection(to: address, options)
    didConnect(to: found?.server)
    state.withLock { state in
      state.isConnecting = false
      state.nextCheck = .now() + Self.pause
    }
  }
}
