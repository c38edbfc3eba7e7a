import Glibc

/// Time that a client has left for moving bytes, which it earns by moving them.
///
/// However much came quickly, nobody may rest for longer than the grace, and whoever trickles runs
/// out of time: a body or an answer keeps up the slowest rate while it moves, not on average.
struct MinimumRateTimer: Hashable {
  /// Slowest client that is waited for, in bytes a second.
  static let slowestRate: UInt64 = 16 << 10

  private let graceNanoseconds: UInt64
  /// End of the time, in nanoseconds of the monotonic clock.
  private(set) var deadline: UInt64

  init(graceSeconds: Int, at now: UInt64) {
    graceNanoseconds = UInt64(graceSeconds) * 1_000_000_000
    deadline = now + graceNanoseconds
  }

  mutating func didMove(_ bytes: Int, at now: UInt64) {
    let earned = UInt64(bytes) * 1_000_000_000 / Self.slowestRate
    deadline = min(deadline + earned, now + graceNanoseconds)
  }
}

/// Clock that nobody sets: the time since some moment in the past.
enum MonotonicClock {
  static func nanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
