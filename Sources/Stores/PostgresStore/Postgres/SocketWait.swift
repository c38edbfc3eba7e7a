import Dispatch
import Glibc

/// Waits on a socket, each with a deadline.
enum SocketWait {
  /// Waits for something to read; false after the deadline.
  static func untilReadable(_ socket: Int32, before deadline: DispatchTime) -> Bool {
    untilReady(socket, toWrite: false, before: deadline)
  }

  /// The same, or waits until there is room to write.
  static func untilReady(
    _ socket: Int32, toWrite: Bool, before deadline: DispatchTime
  ) -> Bool {
    var wanted = pollfd(fd: socket, events: Int16(toWrite ? POLLOUT : POLLIN), revents: 0)
    while true {
      let now = DispatchTime.now()
      guard now < deadline else { return false }
      let rest = (deadline.uptimeNanoseconds - now.uptimeNanoseconds) / 1_000_000 + 1
      let count = poll(&wanted, 1, Int32(clamping: rest))
      if count > 0 { return true }
      if count < 0, errno != EINTR { return true }
    }
  }

  /// Waits until something can be done with one of several, or the deadline.
  static func untilAny(_ sockets: [(socket: Int32, toWrite: Bool)], before deadline: DispatchTime) {
    var wanted = sockets.map { entry in
      pollfd(fd: entry.socket, events: Int16(entry.toWrite ? POLLOUT : POLLIN), revents: 0)
    }
    let now = DispatchTime.now()
    guard now < deadline else { return }
    let rest = (deadline.uptimeNanoseconds - now.uptimeNanoseconds) / 1_000_000 + 1
    // Whatever ends it, the caller looks again.
    poll(&wanted, nfds_t(wanted.count), Int32(clamping: rest))
  }

  /// Whether there is something to read at this moment, be it the end.
  static func hasSomething(_ socket: Int32) -> Bool { isReady(socket, toWrite: false) }

  /// Whether there is something to read at this moment, or room to write.
  static func isReady(_ socket: Int32, toWrite: Bool) -> Bool {
    var wanted = pollfd(fd: socket, events: Int16(toWrite ? POLLOUT : POLLIN), revents: 0)
    return poll(&wanted, 1, 0) > 0
  }

  /// Ends a connection whose other side is not to be waited for any more.
  static func cut(_ socket: Int32) {
    shutdown(socket, Int32(SHUT_RDWR))
  }
}

/// Handle by which any thread may end a connection, whose own descriptor its owner may close at any time.
final class SocketHandle: Sendable {
  private let descriptor: Int32

  /// Nil where there is no descriptor left.
  init?(_ socket: Int32) {
    descriptor = fcntl(socket, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  func cut() { SocketWait.cut(descriptor) }
}
