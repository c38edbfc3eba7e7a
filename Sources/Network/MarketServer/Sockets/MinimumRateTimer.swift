import Glibc

/// Deadline of a transfer, extended by the bytes that move.
///
/// A client may pause for at most the grace period, however fast it was before: a body or response must
/// keep the minimum rate throughout, not on average.
struct MinimumRateTimer: Hashable {
  /// Minimum rate in bytes a second; below it the deadline passes.
  static let minimumRate: UInt64 = 16 << 10

  private let graceNanoseconds: UInt64
  /// Deadline in nanoseconds of the monotonic clock.
  private(set) var deadline: UInt64

  init(graceSeconds: Int, at now: UInt64) {
    graceNanoseconds = UInt64(graceSeconds) * 1_000_000_000
    deadline = now + graceNanoseconds
  }

  mutating func didMove(_ bytes: Int, at now: UInt64) {
    let earned = UInt64(bytes) * 1_000_000_000 / Self.minimumRate
    deadline = min(deadline + earned, now + graceNanoseconds)
  }
}

/// Clock without adjustments (`CLOCK_MONOTONIC`); its zero is arbitrary.
enum MonotonicClock {
  static func nanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
