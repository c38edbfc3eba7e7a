import Glibc
import Synchronization

/// A connection of a client, and until when it may take for what it is doing.
///
/// libmicrohttpd ends connections on which nothing moves; a client that sends a byte now and then
/// would keep its place for ever.
final class Peer: Sendable {
  /// Slowest client that is waited for, in bytes a second.
  private static let slowestRate = 16 << 10

  let address: String
  private let descriptor: Int32
  private let idleSeconds: Int
  /// When the connection ends, in nanoseconds of the monotonic clock.
  private let deadline = Atomic<UInt64>(.max)

  init(address: String, descriptor: Int32, idleSeconds: Int) {
    self.address = address
    self.descriptor = descriptor
    self.idleSeconds = idleSeconds
    didBecomeIdle()
  }

  /// The next request may come, or stay away, for as long as libmicrohttpd waits; then it has as
  /// long again to get its headers over.
  func didBecomeIdle() { setDeadline(after: 2 * idleSeconds) }

  /// A body or an answer of so many bytes is to be moved.
  func willMove(_ bytes: Int) { setDeadline(after: idleSeconds + bytes / Self.slowestRate) }

  /// It is the server's turn, which takes as long as it takes.
  func willWait() { deadline.store(.max, ordering: .relaxed) }

  /// Breaks the connection off if its time is over.
  func end(at now: UInt64) {
    guard deadline.load(ordering: .relaxed) < now else { return }
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  private func setDeadline(after seconds: Int) {
    let nanoseconds = UInt64(seconds) * 1_000_000_000
    deadline.store(MonotonicClock.nanoseconds() + nanoseconds, ordering: .relaxed)
  }
}
