internal import CTerminalGuard
import Dispatch
import Glibc
internal import Posix

/// Watcher of the signals that concern the terminal.
@MainActor package final class TerminalSignals {
  package enum Signal: Sendable {
    /// The window size changed (SIGWINCH).
    case resize
    /// The user stops the program (SIGTSTP); the handler calls `TerminalSignals.stop()`.
    case suspend
    /// The program continues after any stop (SIGCONT).
    case resume
    /// The program must end (SIGTERM, SIGINT).
    case terminate
    /// The terminal is closed (SIGHUP).
    case hangUp
  }

  private static let signals: [(number: Int32, signal: Signal)] = [
    (SIGWINCH, .resize), (SIGTSTP, .suspend), (SIGCONT, .resume), (SIGTERM, .terminate),
    (SIGINT, .terminate), (SIGHUP, .hangUp),
  ]

  private var source: (any DispatchSourceRead)?
  private let descriptor: Int32
  private let didReceive: (Signal) -> Void

  /// Starts watching; call after the screen was opened, which handles the same signals to restore the
  /// terminal.
  package init(_ didReceive: @escaping (Signal) -> Void) {
    let numbers = Self.signals.map(\.number)
    descriptor = terminal_guard_watch(numbers, Int32(numbers.count))
    self.didReceive = didReceive
    guard descriptor >= 0 else { return }
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.handleWaiting() } }
    source.activate()
    self.source = source
  }

  /// Handles the signals that have come, as a caller does who keeps the main queue for long.
  package func handleWaiting() {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard descriptor >= 0, poll(&waiting, 1, 0) > 0 else { return }
    for signal in Self.read(descriptor) { didReceive(signal) }
  }

  /// Returns the received signals in order; consecutive resizes become one.
  private static func read(_ descriptor: Int32) -> [Signal] {
    let bytes = (try? FileDescriptorIO.read(upTo: 4_096, from: descriptor)) ?? []
    return bytes.compactMap { byte in signals.first { $0.number == byte }?.signal }.reduce(into: [])
    {
      if $0.last != $1 || $1 != .resize { $0.append($1) }
    }
  }

  /// Stops the process group, as Ctrl-Z does; returns when it continues.
  package static func stop() { kill(0, SIGSTOP) }
}
