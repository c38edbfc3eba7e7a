import Synchronization

/// Work that follows what was asked for: a moment later, once for all that came in that moment, and
/// with nobody waiting for it.
final class DeferredWork: Sendable {
  private enum State {
    case resting
    /// The work is to come, or is being done.
    case busy(isAskedAgain: Bool)
  }

  private let state = Mutex(State.resting)
  private let pause: Duration
  private let work: @Sendable () async -> Void

  init(after pause: Duration, _ work: @escaping @Sendable () async -> Void) {
    self.pause = pause
    self.work = work
  }

  /// Asks for the work, on any thread.
  func ask() {
    let begins = state.withLock { state in
      switch state {
      case .resting:
        state = .busy(isAskedAgain: true)
        return true
      case .busy:
        state = .busy(isAskedAgain: true)
        return false
      }
    }
    guard begins else { return }
    // It belongs to no request, and has no request's deadline.
    Task.detached(priority: .utility) {
      while self.goesOn() {
        try? await Task.sleep(for: self.pause)
        self.state.withLock { $0 = .busy(isAskedAgain: false) }
        await self.work()
      }
    }
  }

  private func goesOn() -> Bool {
    state.withLock { state in
      if case .busy(isAskedAgain: true) = state { return true }
      state = .resting
      return false
    }
  }
}
