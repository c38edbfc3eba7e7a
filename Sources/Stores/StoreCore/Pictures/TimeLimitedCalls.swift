import Dispatch
import MarketModel
import Synchronization

/// Calls that may hang, as those on files of a network do: whoever waits for one gives up after a
/// while.
///
/// A call that was given up keeps its lane until the system lets it go, and others wait for those
/// that are left; one that was given up before its turn is forgotten. After one was given up everybody
/// is refused for a moment, so that a storage that is gone costs each request little.
final class TimeLimitedCalls: Sendable {
  private typealias Call = @Sendable () -> Void

  private struct State {
    var freeLanes: Int
    /// Who came first is first.
    var waiting: ArraySlice<(wait: ObjectIdentifier, call: Call)> = []
    var silentUntil: ContinuousClock.Instant?
  }

  /// Calls that wait for a lane.
  private static let waitingLimit = 1_024

  private let timeout: Duration
  /// Time for which nobody tries after a call was given up.
  private let silence: Duration
  private let queue: DispatchQueue
  private let state: Mutex<State>

  /// Runs at most so many calls at a time, for which others wait as long as for the call itself.
  init(_ label: String, lanes: Int, timeout: Duration, silence: Duration = .seconds(1)) {
    self.timeout = timeout
    self.silence = silence
    queue = DispatchQueue(label: label, qos: .userInitiated, attributes: .concurrent)
    state = Mutex(State(freeLanes: lanes))
  }

  /// Runs a call; `.timedOut` and `.busy` are thrown beside its own failures.
  func run<Answer: Sendable>(
    _ body: @escaping @Sendable () -> Result<Answer, PictureStorageError>
  ) async throws(PictureStorageError) -> Answer {
    if Task.isCancelled { throw .cancelled }
    let timeout = RequestDeadline.remaining(atMost: timeout)
    let result = await withCheckedContinuation { continuation in
      let wait = TimedCall<Answer>(continuation)
      let refusal = take(for: ObjectIdentifier(wait)) {
        // Nobody waits for it any more where its turn came too late.
        if wait.isOpen { wait.end(with: body()) }
      }
      if let refusal { wait.end(with: .failure(refusal)) } else { limit(wait, to: timeout) }
    }
    return try result.get()
  }

  /// Begins a call or has it wait; the reason where it is refused.
  private func take(
    for wait: ObjectIdentifier, _ call: @escaping Call
  ) -> PictureStorageError? {
    let (refusal, begins) = state.withLock { state -> (PictureStorageError?, Bool) in
      if let end = state.silentUntil {
        guard .now >= end else { return (.timedOut, false) }
        state.silentUntil = nil
      }
      if state.freeLanes > 0 {
        state.freeLanes -= 1
        return (nil, true)
      }
      guard state.waiting.count < Self.waitingLimit else { return (.busy, false) }
      state.waiting.append((wait, call))
      return (nil, false)
    }
    if begins { begin(call) }
    return refusal
  }

  /// Runs a call on a lane, and those that wait after it.
  private func begin(_ call: @escaping Call) {
    queue.async { [self] in
      var next: Call? = call
      while let call = next {
        call()
        next = state.withLock { state in
          let waiting = state.waiting.popFirst()
          if waiting == nil { state.freeLanes += 1 }
          return waiting?.call
        }
      }
    }
  }

  private func limit<Answer: Sendable>(_ wait: TimedCall<Answer>, to timeout: Duration) {
    DispatchQueue.global(qos: .userInitiated).asyncAfter(deadline: .now() + timeout.interval) {
      [weak self] in
      guard wait.isOpen else { return }
      guard let self else {
        _ = wait.end(with: .failure(.timedOut))
        return
      }
      state.withLock { state in
        // A call holds a whole file, and its turn may never come.
        state.waiting.removeAll { $0.wait == ObjectIdentifier(wait) }
        // One request that came late says nothing of the others. Who is told finds them refused.
        if wait.end(with: .failure(.timedOut)), timeout == self.timeout {
          state.silentUntil = .now + silence
        }
      }
    }
  }
}

/// Wait for a call, which ends once.
private final class TimedCall<Answer: Sendable>: Sendable {
  typealias Answered = Result<Answer, PictureStorageError>

  private let continuation: Mutex<CheckedContinuation<Answered, Never>?>

  init(_ continuation: CheckedContinuation<Answered, Never>) {
    self.continuation = Mutex(continuation)
  }

  /// Whether somebody waits.
  var isOpen: Bool { continuation.withLock { $0 != nil } }

  /// Whether this was what ended it.
  @discardableResult
  func end(with answer: Answered) -> Bool {
    let waiting = continuation.withLock { $0.take() }
    waiting?.resume(returning: answer)
    return waiting != nil
  }
}

extension Duration {
  fileprivate var interval: DispatchTimeInterval {
    let (seconds, attoseconds) = components
    return .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
  }
}
