import Dispatch
import Glibc
import MarketModel
import Synchronization

/// Continuous clock whose sleeps wait on a queue of its own.
///
/// The standard library's sleeps use Dispatch's global pool, which wakes the process every second once
/// it was used (see `task_queue_install`).
nonisolated struct DispatchClock: Clock {
  typealias Instant = ContinuousClock.Instant

  private let queue = DispatchQueue(label: "market.clock")

  var now: Instant { ContinuousClock().now }
  var minimumResolution: Duration { .milliseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let wait = now.duration(to: deadline).components
    let nanoseconds = Int(wait.seconds) * 1_000_000_000 + Int(wait.attoseconds / 1_000_000_000)
    let sleeper = Sleeper()
    queue.asyncAfter(deadline: .now() + .nanoseconds(max(0, nanoseconds))) { sleeper.wake() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { sleeper.suspend($0) }
    } onCancel: {
      sleeper.wake()
    }
    try Task.checkCancellation()
  }
}

/// One sleep; ends with the first call of `wake()`.
private nonisolated final class Sleeper: Sendable {
  private enum State {
    case awake
    case asleep(CheckedContinuation<Void, Never>)
    case woken
  }

  private let state = Mutex(State.awake)

  func suspend(_ continuation: CheckedContinuation<Void, Never>) {
    let isOver = state.withLock { state in
      if case .woken = state { return true }
      state = .asleep(continuation)
      return false
    }
    if isOver { continuation.resume() }
  }

  func wake() {
    let before = state.withLock { state in
      defer { state = .woken }
      return state
    }
    if case .asleep(let continuation) = before { continuation.resume() }
  }
}

/// System clock, from which ages are computed.
nonisolated enum SystemTime {
  static func now() -> Timestamp {
    Timestamp(seconds: Int64(time(nil)))
  }
}
