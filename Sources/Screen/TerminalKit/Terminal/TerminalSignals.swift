internal import CTerminalGuard
import Dispatch
import Glibc
internal import Posix

/// Signal that has come, by what it asks of the program.
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

  private static let signals: [(number: Int32, signal: Signal)] = [
    (SIGWINCH, .resize), (SIGTSTP, .suspend), (SIGCONT, .resume), (SIGTERM, .terminate),
    (SIGINT, .terminate), (SIGHUP, .hangUp),
  ]

  private var source: (any DispatchSourceRead)?

  /// Begins to watch; after the screen was opened, which catches the same signals to restore it.
  package init(_ didReceive: @escaping (Signal) -> Void) {
    let numbers = Self.signals.map(\.number)
    let descriptor = terminal_guard_watch(numbers, Int32(numbers.count))
    guard descriptor >= 0 else { return }
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler {
      MainActor.assumeIsolated { for signal in Self.read(descriptor) { didReceive(signal) } }
    }
    source.activate()
    self.source = source
  }

  /// The signals that have come, in order; several new sizes in a row are one.
  private static func read(_ descriptor: Int32) -> [Signal] {
    let bytes = (try? FileDescriptorIO.read(upTo: 4_096, from: descriptor)) ?? []
    return bytes.compactMap { byte in signals.first { $0.number == byte }?.signal }.reduce(into: [])
    {
      if $0.last != $1 || $1 != .resize { $0.append($1) }
    }
  }

  /// Stops the program and all others of its job, as Ctrl-Z does; it returns when they go on.
  package static func stop() { kill(0, SIGSTOP) }
}
