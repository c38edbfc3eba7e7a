import Dispatch
import Glibc
import Synchronization

/// Signal that asks the program to stop: SIGTERM, or SIGINT from a terminal.
final class StopSignal: Sendable {
  private enum State {
    /// Nothing is served yet, so the program ends at once.
    case endsProgram
    /// Whether a signal has come that nobody has waited for.
    case attended(hasArrived: Bool)
    case awaited(number: Int, CheckedContinuation<Void, Never>)
  }

  private let state = Mutex(State.endsProgram)
  private let waitCount = Atomic(0)
  private let queue = DispatchQueue(label: "market.server.signals")
  private let sources = Mutex(SignalSources())

  init() {
    for number in [SIGTERM, SIGINT] {
      // Without this the default action ends the process first.
      signal(number, SIG_IGN)
      sources.withLock { sources in
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler { [weak self] in self?.didCome() }
        source.activate()
        sources.all.append(source)
      }
    }
  }

  deinit { sources.withLock { for source in $0.all { source.cancel() } } }

  /// From now on a signal is kept for who waits for it.
  func observe() { state.withLock { $0 = .attended(hasArrived: false) } }

  /// Returns when one has come, or after `seconds`; one that came before counts.
  func wait(atMost seconds: Int? = nil) async {
    let number = waitCount.add(1, ordering: .relaxed).newValue
    if let seconds {
      queue.asyncAfter(deadline: .now() + .seconds(seconds)) { self.resume(number) }
    }
    await withCheckedContinuation { continuation in
      let hasArrived = state.withLock { state in
        if case .attended(hasArrived: true) = state {
          state = .attended(hasArrived: false)
          return true
        }
        state = .awaited(number: number, continuation)
        return false
      }
      if hasArrived { continuation.resume() }
    }
  }

  /// Ends the wait of this number, if it is still the one.
  private func resume(_ wanted: Int) {
    let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard case .awaited(wanted, let continuation) = state else { return nil }
      state = .attended(hasArrived: false)
      return continuation
    }
    waiting?.resume()
  }

  private func didCome() {
    let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
      switch state {
      case .endsProgram: exit(0)
      case .attended: state = .attended(hasArrived: true)
      case .awaited(_, let continuation):
        state = .attended(hasArrived: false)
        return continuation
      }
      return nil
    }
    waiting?.resume()
  }
}

/// Sources of signals, which Dispatch lets any thread cancel.
///
/// Unchecked: they are kept under a lock, and nothing else is done to them.
private struct SignalSources: @unchecked Sendable {
  var all: [any DispatchSourceSignal] = []
}
