import Synchronization

/// Attention of a person to the terminal: whether its window has the focus.
///
/// A terminal that reports no focus counts as looked at for ten minutes after a key.
package final class UserPresence: Sendable {
  private struct State {
    /// What the terminal reported last; nil where it never has.
    var hasFocus: Bool?
    var lastKey: ContinuousClock.Instant
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    var lastWaiter = 0

    func isThere(at now: ContinuousClock.Instant) -> Bool {
      hasFocus ?? (now - lastKey < UserPresence.idleTimeout)
    }
  }

  private static let idleTimeout = Duration.seconds(600)

  private let now: @Sendable () -> ContinuousClock.Instant
  private let state: Mutex<State>

  /// Begins looked at: somebody has just started the program.
  package init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
    self.now = now
    state = Mutex(State(lastKey: now()))
  }

  /// The terminal has said that its window has the focus, or has it no more.
  package func didChangeFocus(to hasFocus: Bool) { change { $0.hasFocus = hasFocus } }

  /// Somebody has pressed a key.
  package func didPressKey() {
    let now = now()
    change { $0.lastKey = now }
  }

  package var isThere: Bool { state.withLock { $0.isThere(at: now()) } }

  /// Returns when somebody looks, at once where somebody does, or when the task is cancelled.
  package func wait() async {
    let number = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          let isOver = Task.isCancelled || state.isThere(at: now())
          if !isOver { state.waiters[number] = continuation }
          return isOver
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
    }
  }

  private func change(_ change: (inout State) -> Void) {
    let now = now()
    let waiters = state.withLock { state in
      change(&state)
      guard state.isThere(at: now) else { return [CheckedContinuation<Void, Never>]() }
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.resume() }
  }
}
