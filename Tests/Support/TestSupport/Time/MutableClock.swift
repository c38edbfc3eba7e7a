import Synchronization

/// Clock for code that is given the time as a function; it stands still until a test moves it on.
package final class MutableClock: Sendable {
  private let time = Mutex(ContinuousClock.now)

  package init() {}

  package var now: ContinuousClock.Instant { time.withLock { $0 } }
  package func pass(_ duration: Duration) { time.withLock { $0 += duration } }
}
