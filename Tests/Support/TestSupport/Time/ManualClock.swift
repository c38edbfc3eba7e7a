import MarketModel
import Synchronization

/// A clock on which time passes only when a test lets a sleep end.
///
/// A test takes a sleep with `await clock.sleeps(of: .milliseconds(120)).next()` and ends it with
/// `answer(())`; one whose task is cancelled ends by itself.
package final class ManualClock: Clock {
  package struct Instant: InstantProtocol {
    fileprivate let offset: Duration

    package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    package func duration(to other: Instant) -> Duration { other.offset - offset }

    package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  package let now = Instant(offset: .zero)
  package let minimumResolution = Duration.zero
  private let gates = Mutex<[Duration: Gate<Duration, Void>]>([:])

  package init() {}

  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await sleeps(of: deadline.offset).pass(deadline.offset)
  }

  /// The sleeps that are as long as this, in the order in which they begin.
  package func sleeps(of duration: Duration) -> Gate<Duration, Void> {
    gates.withLock { gates in
      let gate = gates[duration] ?? Gate(answersCancelledCalls: true)
      gates[duration] = gate
      return gate
    }
  }
}
