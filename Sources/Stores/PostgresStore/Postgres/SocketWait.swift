internal import CPostgres
import Dispatch
import Glibc

/// Waits on sockets, with deadlines.
enum SocketWait {
  /// Waits until the socket is readable, or writable; false after the deadline.
  static func untilReady(
    _ socket: Int32, toWrite: Bool = false, before deadline: DispatchTime
  ) -> Bool {
    while DispatchTime.now() < deadline {
      if untilAny([(socket, toWrite)], before: deadline) != 0 { return true }
    }
    return false
  }

  /// Waits until any of the sockets is ready, or the deadline; returns the number of ready sockets, or -1
  /// for a failure (poll(2)); 0 also after a signal.
  @discardableResult
  static func untilAny(
    _ sockets: [(socket: Int32, toWrite: Bool)], before deadline: DispatchTime
  ) -> Int32 {
    var wanted = sockets.map { entry in
      pollfd(fd: entry.socket, events: Int16(entry.toWrite ? POLLOUT : POLLIN), revents: 0)
    }
    let now = DispatchTime.now()
    let milliseconds =
      now < deadline ? (deadline.uptimeNanoseconds - now.uptimeNanoseconds) / 1_000_000 + 1 : 0
    let count = poll(&wanted, nfds_t(wanted.count), Int32(clamping: milliseconds))
    return count < 0 && errno == EINTR ? 0 : count
  }

  /// Whether the socket is readable, or writable, now; the end of a connection is readable.
  static func isReady(_ socket: Int32, toWrite: Bool = false) -> Bool {
    untilAny([(socket, toWrite)], before: .now()) > 0
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

/// Sends cancel requests for a connection's statements (libpq, "Canceling Queries in Progress").
///
/// Unchecked: the pointer never changes, and libpq allows its use on any thread.
final class StatementCanceller: @unchecked Sendable {
  private let pointer: OpaquePointer

  /// Takes ownership of libpq's cancel object.
  init?(_ pointer: OpaquePointer?) {
    guard let pointer else { return nil }
    self.pointer = pointer
  }

  deinit { PQfreeCancel(pointer) }

  /// Sends one cancel request, and returns when the server has received it; it does not tell whether a
  /// statement was running.
  func send() {
    var reason = [CChar](repeating: 0, count: 256)
    _ = PQcancel(pointer, &reason, Int32(reason.count))
  }
}
