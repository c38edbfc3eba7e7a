import MarketViewModels
import Synchronization

/// Waits until something observable is so: it looks again each time what it read has changed.
///
/// Where the test is cancelled, as at its time limit, it returns.
@MainActor
package func until(_ condition: @MainActor () -> Bool) async {
  var isMet = false
  while !isMet, !Task.isCancelled {
    let waiting = Once()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiting.wait(with: continuation)
        isMet = observing(condition) { waiting.resume() }
        if isMet { waiting.resume() }
      }
    } onCancel: {
      waiting.resume()
    }
  }
}

/// A continuation that several may want to resume, once, and that may be resumed before it waits.
private final class Once: Sendable {
  private struct State {
    var continuation: CheckedContinuation<Void, Never>?
    var isResumed = false
  }

  private let state = Mutex(State())

  func wait(with continuation: CheckedContinuation<Void, Never>) {
    let isResumed = state.withLock { state in
      if !state.isResumed { state.continuation = continuation }
      return state.isResumed
    }
    if isResumed { continuation.resume() }
  }

  func resume() {
    state.withLock { state in
      state.isResumed = true
      defer { state.continuation = nil }
      return state.continuation
    }?.resume()
  }
}
