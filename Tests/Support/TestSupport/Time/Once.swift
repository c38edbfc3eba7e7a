import Synchronization

/// A value that several may want to give and of which the first counts, perhaps before somebody waits for it.
package final class Once<Value: Sendable>: Sendable {
  private struct State {
    var waiter: CheckedContinuation<Value, Never>?
    var value: Value?
  }

  private let state = Mutex(State())

  package init() {}

  /// Whether this is the first value.
  @discardableResult package func give(_ value: Value) -> Bool {
    state.withLock { state in
      guard state.value == nil else { return false }
      state.value = value
      state.waiter?.resume(returning: value)
      return true
    }
  }

  /// The first value, once it is given.
  package func wait(isolation: isolated (any Actor)? = #isolation) async -> Value {
    await withCheckedContinuation { waiter in
      state.withLock { state in
        if let value = state.value {
          waiter.resume(returning: value)
        } else {
          state.waiter = waiter
        }
      }
    }
  }
}
