import Dispatch
import Glibc
import Synchronization

/// Waiter for SIGTERM and SIGINT.
final class StopSignal: Sendable {
  private enum State {
    /// Nothing is served yet, so a signal ends the program at once.
    case endsProgram
    /// Signals are recorded; `hasArrived` is true until a call takes a recorded signal.
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

  /// Records signals from now on instead of ending the program.
  func observe() { state.withLock { $0 = .attended(hasArrived: false) } }

  /// Waits for a signal, also a recorded one, or for `seconds` at most; nil has no limit.
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

  /// Ends the wait with this number, if it is still running.
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

/// Dispatch sources of the signals, which any thread may cancel.
///
/// Unchecked: they are accessed under a lock only.
private struct SignalSources: @unchecked Sendable {
  var all: [any DispatchSourceSignal] = []
}
