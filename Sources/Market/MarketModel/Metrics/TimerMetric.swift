import Synchronization

/// Counter of how long one thing takes.
package final class TimerMetric: Sendable {
  private let state = Mutex(DurationHistogram())

  init() {}

  package var counts: DurationHistogram { state.withLock { $0 } }

  /// Counts what began at a moment and is over now.
  package func note(since start: ContinuousClock.Instant) {
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    let nanoseconds = UInt64(max(0, seconds)) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    state.withLock { $0.add(nanoseconds: nanoseconds) }
  }
}
