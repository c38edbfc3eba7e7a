import MarketModel
import Synchronization

/// Holds each call of one method until the test answers it, in the order the test likes.
package final class Gate<Request: Sendable, Answer: Sendable>: Sendable {
  private struct State {
    /// Calls that arrived and that the test has not taken yet, oldest first.
    var arrived: [GatedCall<Request, Answer>] = []
    /// Tests that wait for a call, oldest first.
    var takers: [CheckedContinuation<GatedCall<Request, Answer>, Never>] = []
    var callCount = 0
  }

  private let state = Mutex(State())
  private let answersCancelledCalls: Bool

  package init(answersCancelledCalls: Bool) {
    self.answersCancelledCalls = answersCancelledCalls
  }

  /// The oldest call that was not taken yet; waits for one where there is none.
  ///
  /// A wait for a call that never comes would not end, and no answer can be made up: the tests end there
  /// and name the line.
  package func next(
    within limit: Duration = .seconds(45), file: StaticString = #fileID, line: Int = #line
  ) async -> GatedCall<Request, Answer> {
    // After the time limit of its test a call waits no longer than that.
    let limit = Task.isCancelled ? .seconds(1) : limit
    let watch = Task {
      try await Task.sleep(for: limit)
      fatalError("\(file):\(line): nobody asked for \(Answer.self) within \(limit)")
    }
    defer { watch.cancel() }
    return await withCheckedContinuation { taker in
      let call = state.withLock { state -> GatedCall<Request, Answer>? in
        guard state.arrived.isEmpty else { return state.arrived.removeFirst() }
        state.takers.append(taker)
        return nil
      }
      if let call { taker.resume(returning: call) }
    }
  }

  /// How many calls arrived that the test has not taken yet.
  package var untakenCount: Int { state.withLock { $0.arrived.count } }

  /// How many calls arrived in all.
  package var callCount: Int { state.withLock { $0.callCount } }

  package func pass(_ request: Request) async throws(RepositoryError) -> Answer {
    let call = GatedCall<Request, Answer>(request)
    let answer = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        call.wait(with: continuation)
        hand(over: call)
      }
    } onCancel: {
      call.didCancel(answering: answersCancelledCalls)
    }
    return try answer.get()
  }

  private func hand(over call: GatedCall<Request, Answer>) {
    let taker = state.withLock { state in
      state.callCount += 1
      guard state.takers.isEmpty else { return Optional(state.takers.removeFirst()) }
      state.arrived.append(call)
      return nil
    }
    taker?.resume(returning: call)
  }
}

/// One call that waits at a gate.
package final class GatedCall<Request: Sendable, Answer: Sendable>: Sendable {
  private typealias Waiter = CheckedContinuation<Result<Answer, RepositoryError>, Never>

  private struct State {
    var waiter: Waiter?
    var early: Result<Answer, RepositoryError>?
    var isCancelled = false
  }

  package let request: Request
  private let state = Mutex(State())

  fileprivate init(_ request: Request) {
    self.request = request
  }

  /// Whether the task that called was cancelled.
  package var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Lets the call return; does nothing where it was answered before.
  package func answer(_ answer: Answer) {
    resume(with: .success(answer))
  }

  /// Lets the call fail; does nothing where it was answered before.
  package func fail(_ error: RepositoryError) {
    resume(with: .failure(error))
  }

  fileprivate func wait(
    with waiter: CheckedContinuation<Result<Answer, RepositoryError>, Never>
  ) {
    let early = state.withLock { state in
      if state.early == nil { state.waiter = waiter }
      return state.early
    }
    if let early { waiter.resume(returning: early) }
  }

  fileprivate func didCancel(answering: Bool) {
    state.withLock { $0.isCancelled = true }
    if answering { resume(with: .failure(.cancelled)) }
  }

  private func resume(with result: Result<Answer, RepositoryError>) {
    let waiter = state.withLock { state in
      defer { state.waiter = nil }
      if state.early == nil { state.early = result }
      return state.waiter
    }
    waiter?.resume(returning: result)
  }
}
