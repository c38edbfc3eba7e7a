import Synchronization

/// Background work that runs a moment after it was requested, once for all requests in that moment.
final class DeferredWork: Sendable {
  private enum State {
    case resting
    /// The work is scheduled or running.
    case busy(isRequestedAgain: Bool)
  }

  private let state = Mutex(State.resting)
  private let pause: Duration
  private let work: @Sendable () async -> Void

  init(after pause: Duration, _ work: @escaping @Sendable () async -> Void) {
    self.pause = pause
    self.work = work
  }

  /// Requests the work; may be called on any thread.
  func request() {
    let begins = state.withLock { state in
      switch state {
      case .resting:
        state = .busy(isRequestedAgain: true)
        return true
      case .busy:
        state = .busy(isRequestedAgain: true)
        return false
      }
    }
    guard begins else { return }
    // Detached from the request, and from its deadline.
    Task.detached(priority: .utility) {
      while self.goesOn() {
        try? await Task.sleep(for: self.pause)
        self.state.withLock { $0 = .busy(isRequestedAgain: false) }
        await self.work()
      }
    }
  }

  private func goesOn() -> Bool {
    state.withLock { state in
      if case .busy(isRequestedAgain: true) = state { return true }
      state = .resting
      return false
    }
  }
}
