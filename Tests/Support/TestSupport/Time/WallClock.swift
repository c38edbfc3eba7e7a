import MarketModel
import Synchronization

/// A clock on the wall that stands until a test moves it.
package final class WallClock: Sendable {
  private let seconds: Mutex<Int64>

  package init(_ seconds: Int64 = 1_700_000_000) { self.seconds = Mutex(seconds) }

  package var now: Timestamp { Timestamp(seconds: seconds.withLock { $0 }) }

  package func advance(_ seconds: Int64) { self.seconds.withLock { $0 += seconds } }

  package func set(to seconds: Int64) { self.seconds.withLock { $0 = seconds } }
}
