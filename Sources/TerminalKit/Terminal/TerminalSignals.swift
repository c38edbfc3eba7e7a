import Dispatch
import Glibc

/// Signals that concern the terminal, delivered on the main queue.
///
/// What is not watched keeps its effect; those that kill give the terminal back in any case.
@MainActor package final class TerminalSignals {
  package enum Signal: Sendable {
    /// The window has another size (SIGWINCH).
    case resize
    /// Someone wants the program to stop (SIGTSTP); `TerminalSignals.stop()` then does so.
    case suspend
    /// The program goes on after a stop, whoever stopped it (SIGCONT).
    case resume
    /// The program has to end (SIGTERM, SIGINT).
    case terminate
    /// The terminal is gone (SIGHUP).
    case hangUp
  }

  private var sources: [any DispatchSourceSignal] = []

  /// Begins to watch; after the screen was opened, which catches the same signals to restore it.
  package init(_ didReceive: @escaping (Signal) -> Void) {
    let signals: [(Int32, Signal)] = [
      (SIGWINCH, .resize), (SIGTSTP, .suspend), (SIGCONT, .resume), (SIGTERM, .terminate),
      (SIGINT, .terminate), (SIGHUP, .hangUp),
    ]
    for (number, signal) in signals {
      // Dispatch sees a signal beside its handler, and the usual handler would come first.
      Glibc.signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
      source.setEventHandler { MainActor.assumeIsolated { didReceive(signal) } }
      source.activate()
      sources.append(source)
    }
  }

  /// Stops the program and all others of its job, as Ctrl-Z does; it returns when they go on.
  package static func stop() { kill(0, SIGSTOP) }
}
