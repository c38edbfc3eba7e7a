/// Time that a client has left for moving bytes, which it earns by moving them.
///
/// However much came quickly, nobody may rest for longer than the grace, and whoever trickles runs
/// out of time: a body or an answer keeps up the slowest rate while it moves, not on average.
struct Pace: Hashable {
  /// Slowest client that is waited for, in bytes a second.
  static let slowestRate: UInt64 = 16 << 10

  private let graceNanoseconds: UInt64
  /// When the time is over, in nanoseconds of the monotonic clock.
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
