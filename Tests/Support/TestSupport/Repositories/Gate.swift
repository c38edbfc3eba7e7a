import MarketModel
import Synchronization

#if canImport(Testing)
  import Testing
#endif

/// Holds each call of one method until the test answers it, in the order the test likes.
package final class Gate<Request: Sendable, Answer: Sendable>: Sendable {
  private struct State {
    /// Calls that arrived and that the test has not taken yet, oldest first.
    var arrived: [GatedCall<Request, Answer>] = []
    /// Tests that wait for a call, oldest first, and those that have given up since the last call.
    var takers: [Once<GatedCall<Request, Answer>?>] = []
    var callCount = 0
  }

  private let state = Mutex(State())
  private let answersCancelledCalls: Bool

  package init(answersCancelledCalls: Bool) {
    self.answersCancelledCalls = answersCancelledCalls
  }

  /// How many calls arrived that the test has not taken yet.
  package var untakenCount: Int { state.withLock { $0.arrived.count } }

  /// How many calls arrived in all.
  package var callCount: Int { state.withLock { $0.callCount } }

  package func pass(_ request: Request) async throws(RepositoryError) -> Answer {
    let call = GatedCall<Request, Answer>(request)
    return try await withTaskCancellationHandler {
      hand(over: call)
      return await call.result.wait()
    } onCancel: {
      call.didCancel(answering: answersCancelledCalls)
    }.get()
  }

  private func hand(over call: GatedCall<Request, Answer>) {
    state.withLock { state in
      state.callCount += 1
      while !state.takers.isEmpty {
        if state.takers.removeFirst().give(call) { return }
      }
      state.arrived.append(call)
    }
  }
}

// Programs that measure use this module too, and are built where there is no Testing.
#if canImport(Testing)
  extension Gate {
    /// The oldest call that was not taken yet; waits for one where there is none.
    ///
    /// Where none comes, or the test is cancelled, it throws `CancellationError`, the former as an issue of the test.
    package func next(
      turns: Int = Turns.most, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> GatedCall<Request, Answer> {
      let taker = Once<GatedCall<Request, Answer>?>()
      let arrived = state.withLock { state in
        guard state.arrived.isEmpty else { return Optional(state.arrived.removeFirst()) }
        state.takers.append(taker)
        return nil
      }
      if let arrived { return arrived }
      let watch = Turns.watch(turns) { taker.give(nil) }
      defer { watch.cancel() }
      let call = await withTaskCancellationHandler {
        await taker.wait()
      } onCancel: {
        taker.give(nil)
      }
      if let call { return call }
      if !Task.isCancelled {
        Issue.record("nobody asked for \(Answer.self)", sourceLocation: sourceLocation)
      }
      throw CancellationError()
    }
  }
#endif

/// One call that waits at a gate.
package final class GatedCall<Request: Sendable, Answer: Sendable>: Sendable {
  package let request: Request
  fileprivate let result = Once<Result<Answer, RepositoryError>>()
  private let cancellation = Mutex(false)

  fileprivate init(_ request: Request) {
    self.request = request
  }

  /// Whether the task that called was cancelled.
  package var isCancelled: Bool { cancellation.withLock { $0 } }

  /// Lets the call return; does nothing where it was answered before.
  package func answer(_ answer: Answer) {
    result.give(.success(answer))
  }

  /// Lets the call fail; does nothing where it was answered before.
  package func fail(_ error: RepositoryError) {
    result.give(.failure(error))
  }

  fileprivate func didCancel(answering: Bool) {
    cancellation.withLock { $0 = true }
    if answering { result.give(.failure(.cancelled)) }
  }
}
