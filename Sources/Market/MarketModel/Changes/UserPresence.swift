import Synchronization

/// Whether the user is at the terminal: its window has the focus.
///
/// Without focus reports the user counts as present for ten minutes after each key.
package final class UserPresence: Sendable {
  private struct State {
    /// Last report of the terminal; nil where it has sent none.
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

  /// Begins as present: the user has just started the program.
  package init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
    self.now = now
    state = Mutex(State(lastKey: now()))
  }

  /// Records a focus report of the terminal.
  package func didChangeFocus(to hasFocus: Bool) { change { $0.hasFocus = hasFocus } }

  /// Records a key press.
  package func didPressKey() {
    let now = now()
    change { $0.lastKey = now }
  }

  package var isThere: Bool { state.withLock { $0.isThere(at: now()) } }

  /// Returns when the user is present, at once if already so, or when the task is cancelled.
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
