import Synchronization

/// Result that the first of several callers sets, and that one caller awaits.
package final class FirstResult<Value: Sendable>: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<Value, Never>)
    case set(Value)
    /// The value is not held any longer: it may be large.
    case received
  }

  private let state = Mutex(State.open)

  package init() {}

  /// Whether a result was set.
  package var isSet: Bool {
    state.withLock {
      switch $0 {
      case .open, .awaited: false
      case .set, .received: true
      }
    }
  }

  /// Sets the result; false where there was one already.
  @discardableResult
  package func set(_ value: Value) -> Bool {
    let (isFirst, reader) = state.withLock { state in
      switch state {
      case .open:
        state = .set(value)
        return (true, CheckedContinuation<Value, Never>?.none)
      case .awaited(let reader):
        state = .received
        return (true, reader)
      case .set, .received: return (false, nil)
      }
    }
    reader?.resume(returning: value)
    return isFirst
  }

  /// The result, once it is set.
  package var value: Value {
    get async {
      await withCheckedContinuation { reader in
        let value = state.withLock { state -> Value? in
          guard case .set(let value) = state else {
            state = .awaited(reader)
            return nil
          }
          state = .received
          return value
        }
        if let value { reader.resume(returning: value) }
      }
    }
  }
}
