import Dispatch
import Synchronization

/// Watch over which server of a database takes writes, for connections that do not notice by themselves
/// that another one has taken over: a server that stands still, or to which no way leads any more,
/// ends nothing.
///
/// Each new connection says which server it found. Where that is another one than before, all that
/// still talk to that one are ended. While a call takes long, one connection is made every now and
/// then to find out.
final class PrimaryMonitor: Sendable {
  private struct State {
    /// The server that was found last, as it calls itself.
    var server: String?
    var isLooking = false
    var quiet = DispatchTime(uptimeNanoseconds: 0)
    var leavers: [@Sendable (String) -> Void] = []
  }

  /// Time after which a call is long enough to look whether it will ever end.
  static let suspicion = Duration.seconds(1)
  private static let pause = DispatchTimeInterval.milliseconds(500)

  private let address: String
  private let timeoutMilliseconds: Int
  private let preferred: PreferredHost
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "market.postgres.primary")

  /// Nil where the address leads to one of several servers that are as good as each other.
  init?(over address: String, timeoutMilliseconds: Int, _ preferred: PreferredHost) {
    guard PostgresAddress(address).leadsToPrimary else { return nil }
    self.address = address
    self.timeoutMilliseconds = timeoutMilliseconds
    self.preferred = preferred
  }

  /// Adds what ends connections to all servers but one.
  func add(_ leave: @escaping @Sendable (_ server: String) -> Void) {
    state.withLock { $0.leavers.append(leave) }
  }

  /// Takes note of the server that a new connection found.
  func didConnect(to server: String?) {
    guard let server else { return }
    let leavers = state.withLock { state -> [@Sendable (String) -> Void] in
      defer { state.server = server }
      return state.server == nil || state.server == server ? [] : state.leavers
    }
    for leave in leavers { leave(server) }
  }

  /// Whether another server than this one was found since.
  func hasMoved(from server: String?) -> Bool {
    guard let server, let present = state.withLock({ $0.server }) else { return false }
    return present != server
  }

  /// A call takes long: finds out whether another server has taken over.
  func checkForFailover() {
    let begins = state.withLock { state in
      guard !state.isLooking, state.quiet <= .now() else { return false }
      state.isLooking = true
      return true
    }
    if begins { queue.async { self.look() } }
  }

  private func look() {
    var options = PostgresOptions(timeoutMilliseconds: timeoutMilliseconds)
    options.preferred = preferred
    // Where nobody can be reached there is nothing to tell.
    let found = try? PostgresConnection(to: address, options)
    didConnect(to: found?.server)
    state.withLock { state in
      state.isLooking = false
      state.quiet = .now() + Self.pause
    }
  }
}
