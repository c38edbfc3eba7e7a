import Observation
import Synchronization

/// Waits until something observable is so: it looks again each time what it read has changed.
@MainActor
package func until(_ condition: @MainActor () -> Bool) async {
  var isMet = false
  while !isMet {
    await withCheckedContinuation { continuation in
      let waiting = Once(continuation)
      isMet = withObservationTracking(condition) { waiting.resume() }
      if isMet { waiting.resume() }
    }
  }
}

/// A continuation that several may want to resume.
private final class Once: Sendable {
  private let continuation: Mutex<CheckedContinuation<Void, Never>?>

  init(_ continuation: CheckedContinuation<Void, Never>) {
    self.continuation = Mutex(continuation)
  }

  func resume() {
    continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }?.resume()
  }
}
