import Dispatch
import DispatchBridge
import MarketModel
import Synchronization

/// Queue for system calls that may hang, such as those on network files, with a timeout for each.
///
/// A call that timed out occupies its lane until the system returns, and other calls use the remaining
/// lanes; a call that timed out in the queue is dropped. After a timeout all calls are refused for
/// `silence`, so that an unreachable storage costs each request little.
final class TimeLimitedCalls: Sendable {
  private typealias Call = @Sendable () -> Void

  private struct State {
    var lanes: SlotQueue<Everyone, (wait: ObjectIdentifier, call: Call)>
    var refusedUntil: ContinuousClock.Instant?
  }

  /// Maximum number of calls in the queue; further ones fail with `.busy`.
  private static let waitingLimit = 1_024

  private let timeout: Duration
  /// Time after a timeout for which new calls fail with `.timedOut`.
  private let silence: Duration
  private let queue: DispatchQueue
  private let state: Mutex<State>

  /// Runs at most `lanes` calls at once; the timeout includes the wait for a lane.
  init(_ label: String, lanes: Int, timeout: Duration, silence: Duration = .seconds(1)) {
    self.timeout = timeout
    self.silence = silence
    queue = DispatchQueue(label: label, qos: .userInitiated, attributes: .concurrent)
    state = Mutex(State(lanes: SlotQueue(limit: lanes, maxWaiting: Self.waitingLimit)))
  }

  /// Runs a call.
  /// - Throws: the call's own failure; `.timedOut` after the timeout or the request's deadline, and
  ///   during `silence`; `.busy` where the queue is full; `.cancelled`.
  func run<Answer: Sendable>(
    _ body: @escaping @Sendable () -> Result<Answer, PictureStorageError>
  ) async throws(PictureStorageError) -> Answer {
    if Task.isCancelled { throw .cancelled }
    let timeout = RequestDeadline.remaining(atMost: timeout)
    let wait = FirstResult<Result<Answer, PictureStorageError>>()
    let refusal = enqueue(for: ObjectIdentifier(wait)) {
      // The caller may have timed out while the call was queued.
      if !wait.isSet { wait.set(body()) }
    }
    if let refusal { throw refusal }
    limit(wait, to: timeout)
    return try await wait.value.get()
  }

  /// Starts or queues a call; returns the reason where it is refused.
  private func enqueue(
    for wait: ObjectIdentifier, _ call: @escaping Call
  ) -> PictureStorageError? {
    let (refusal, begins) = state.withLock { state -> (PictureStorageError?, Bool) in
      if let end = state.refusedUntil {
        guard .now >= end else { return (.timedOut, false) }
        state.refusedUntil = nil
      }
      let entry = state.lanes.enter(.all, (wait, call))
      return (entry == .refused ? .busy : nil, entry == .begins)
    }
    if begins { begin(call) }
    return refusal
  }

  /// Runs a call on a lane, and then lets the first queued one begin.
  ///
  /// The next call goes to the end of the Dispatch queue, as that may hold calls of lanes for which it has
  /// no thread yet.
  private func begin(_ call: @escaping Call) {
    queue.async { [self] in
      call()
      if let next = state.withLock({ $0.lanes.leave(.all) }) { begin(next.call) }
    }
  }

  private func limit<Answer: Sendable>(
    _ wait: FirstResult<Result<Answer, PictureStorageError>>, to timeout: Duration
  ) {
    DispatchQueue.global(qos: .userInitiated).asyncAfter(
      deadline: .now() + DispatchTimeInterval(timeout)
    ) {
      [weak self] in
      guard !wait.isSet else { return }
      guard let self else {
        wait.set(.failure(.timedOut))
        return
      }
      state.withLock { state in
        // A call holds a whole file, and its turn may never come.
        state.lanes.remove(of: .all) { $0.wait == ObjectIdentifier(wait) }
        // A request with a shorter deadline of its own says nothing about the storage. New calls are
        // refused before the caller resumes.
        if wait.set(.failure(.timedOut)), timeout == self.timeout {
          state.refusedUntil = .now + silence
        }
      }
    }
  }
}
