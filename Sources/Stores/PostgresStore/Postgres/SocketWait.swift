import Dispatch
import Glibc

/// Waits on sockets, with deadlines.
enum SocketWait {
  /// Waits until the socket is readable; false after the deadline.
  static func untilReadable(_ socket: Int32, before deadline: DispatchTime) -> Bool {
    untilReady(socket, toWrite: false, before: deadline)
  }

  /// Waits until the socket is readable, or writable; false after the deadline.
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

  /// Waits until any of the sockets is ready, or the deadline.
  static func untilAny(_ sockets: [(socket: Int32, toWrite: Bool)], before deadline: DispatchTime) {
    var wanted = sockets.map { entry in
      pollfd(fd: entry.socket, events: Int16(entry.toWrite ? POLLOUT : POLLIN), revents: 0)
    }
    let now = DispatchTime.now()
    guard now < deadline else { return }
    let rest = (deadline.uptimeNanoseconds - now.uptimeNanoseconds) / 1_000_000 + 1
    // The caller checks the sockets again in any case.
    poll(&wanted, nfds_t(wanted.count), Int32(clamping: rest))
  }

  /// Whether the socket is readable now, which includes its end.
  static func hasSomething(_ socket: Int32) -> Bool { isReady(socket, toWrite: false) }

  /// Whether the socket is readable, or writable, now.
  static func isReady(_ socket: Int32, toWrite: Bool) -> Bool {
    var wanted = pollfd(fd: socket, events: Int16(toWrite ? POLLOUT : POLLIN), revents: 0)
    return poll(&wanted, 1, 0) > 0
  }

  /// Closes both directions of a connection (shutdown(2)).
  static func cut(_ socket: Int32) {
    shutdown(socket, Int32(SHUT_RDWR))
  }
}

/// Duplicate of a socket's descriptor, by which any thread can shut the connection down, even while its
/// owner closes it.
final class SocketHandle: Sendable {
  private let descriptor: Int32

  /// Nil where no descriptor is free.
  init?(_ socket: Int32) {
    descriptor = fcntl(socket, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  func cut() { SocketWait.cut(descriptor) }
}
