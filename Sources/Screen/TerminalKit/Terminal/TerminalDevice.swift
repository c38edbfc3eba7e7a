internal import CTerminalGuard
import Glibc
internal import Posix

/// Terminal of this process: its modes, its size and its output.
struct TerminalDevice {
  /// Descriptor of the output, non-blocking where possible.
  let output: Int32
  /// Whether `output` was opened here and is not shared with other processes.
  let ownsOutput: Bool
  private let input: Int32
  private let original: termios

  /// Maximum size that is drawn; the rest of a larger window stays blank.
  ///
  /// Any process can set sizes up to 65,535 × 65,535 (ioctl_tty(2)), which exceed the integers of
  /// ncurses and would take gigabytes.
  static let maxSize = CellSize(columns: 1_000, rows: 500)

  /// Takes the terminal of two descriptors and its current modes.
  ///
  /// - Throws: `.notATerminal` where either is no terminal.
  init(input: Int32, output: Int32) throws(TerminalError) {
    var modes = termios()
    guard isatty(output) == 1, tcgetattr(input, &modes) == 0 else { throw .notATerminal }
    self.input = input
    let own = Self.openWithoutBlocking(output)
    (self.output, ownsOutput) = (own ?? output, own != nil)
    original = modes
  }

  /// Opens a terminal again as non-blocking, because the inherited descriptor's flags are shared with
  /// the shell; nil where that fails.
  private static func openWithoutBlocking(_ descriptor: Int32) -> Int32? {
    let flags = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let own = open("/proc/self/fd/\(descriptor)", flags)
    if own >= 0 { return own }
    // After `su` another user owns the terminal's file, but the controlling terminal can be opened.
    guard tcgetsid(descriptor) == getsid(0) else { return nil }
    let controlling = open("/dev/tty", flags)
    return controlling >= 0 ? controlling : nil
  }

  /// Size to draw in cells; nil where the terminal reports none.
  var size: CellSize? {
    window.map {
      CellSize(
        columns: min(Int($0.ws_col), Self.maxSize.columns),
        rows: min(Int($0.ws_row), Self.maxSize.rows))
    }
  }

  /// Size of a cell in pixels; nil where the terminal does not report it.
  var cellPixels: CellPixels? {
    guard let window else { return nil }
    return CellPixels(
      checked: Int(window.ws_xpixel / window.ws_col), Int(window.ws_ypixel / window.ws_row))
  }

  private var window: winsize? { winsize(of: output) }

  /// Whether this process may ask and draw: its group is the terminal's foreground, or the terminal has
  /// no job control here.
  var isInForeground: Bool { ForegroundJob(input).isInForeground }

  /// Has the guard wait up to some `milliseconds` for the last reply, before the shell would read it; with
  /// `asks` it sends the query for that first.
  func awaitReply(asking asks: Bool, within milliseconds: Int32) {
    terminal_guard_await(input, asks ? 1 : 0, milliseconds)
  }

  /// Has the guard wait for no reply.
  func awaitNoReply() { terminal_guard_await(-1, 0, 0) }

  /// Sets raw modes and arms a guard that restores the modes at any end of the process and writes
  /// `bytes`.
  func takeOver(restoring bytes: [UInt8]) {
    var original = original
    // Too many bytes leave the guard as it was armed before, including the modes.
    _ = terminal_guard_arm(output, &original, bytes, bytes.count)
    var raw = TerminalModes.raw(from: original)
    tcsetattr(input, TCSANOW, &raw)
  }

  /// Restores the terminal's modes; further calls have no effect.
  func giveBack() { terminal_guard_restore() }

  /// Returns replies up to the last one (DA1), or until the terminal is silent for `milliseconds`;
  /// discards typed keys.
  func replies(within milliseconds: Int32) -> [TerminalReply] {
    events(within: milliseconds).compactMap {
      if case .reply(let reply) = $0 { reply } else { nil }
    }
  }

  /// Like `replies(within:)`, with typed keys, until the last query was answered `count` times.
  func events(within milliseconds: Int32, untilLast count: Int = 1) -> [InputEvent] {
    var waiting = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    var decoder = KeyDecoder()
    var events: [InputEvent] = []
    while poll(&waiting, 1, milliseconds) > 0 {
      guard let bytes = try? FileDescriptorIO.read(upTo: 4_096, from: input), !bytes.isEmpty else {
        return events
      }
      events += decoder.feed(bytes)
      let answers = events.count { if case .reply(.attributes) = $0 { true } else { false } }
      if answers >= count { return events }
    }
    return events
  }

  /// Writes bytes outside of a frame, blocking; drops the rest where the terminal takes none for
  /// `milliseconds`.
  func write(_ bytes: [UInt8], timeout milliseconds: Int32 = 1_000) {
    var rest = bytes[...]
    while !rest.isEmpty {
      do throws(SystemError) {
        try FileDescriptorIO.writeAll(from: &rest, to: output)
      } catch {
        // A lost terminal takes no more bytes, and the rest has no reader.
        guard error.number == EAGAIN else { return }
        var room = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
        guard poll(&room, 1, milliseconds) > 0 else { return }
      }
    }
  }
}

/// Job control of a terminal: whether this process group is its foreground.
package struct ForegroundJob {
  private let descriptor: Int32

  package init(_ descriptor: Int32 = STDIN_FILENO) { self.descriptor = descriptor }

  package var isInForeground: Bool {
    let group = tcgetpgrp(descriptor)
    return group < 0 || group == getpgrp()
  }

  /// Stops this process group (SIGTTOU), as a program that draws from the background is stopped; returns
  /// when it continues, or later where it is not stopped at all.
  ///
  /// Threads of Dispatch block this signal, so that the kernel would let their output pass.
  package func stop() {
    var signals = sigset_t()
    var previous = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTTOU)
    pthread_sigmask(SIG_UNBLOCK, &signals, &previous)
    kill(0, SIGTTOU)
    // Another thread may take the signal.
    poll(nil, 0, 1)
    pthread_sigmask(SIG_SETMASK, &previous, nil)
  }
}

/// Terminal mode without echo, until `giveBack()` (getpass(3)).
///
/// Fatal signals restore the echo too; line editing stays on.
package struct EchoDisabler {
  /// Returns nil where the descriptor is no terminal.
  package init?(_ descriptor: Int32) {
    var modes = termios()
    guard tcgetattr(descriptor, &modes) == 0 else { return nil }
    _ = terminal_guard_arm(descriptor, &modes, [], 0)
    modes.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(descriptor, TCSAFLUSH, &modes)
  }

  package func giveBack() { terminal_guard_restore() }
}

/// Width of a terminal that a command prints to.
package enum TerminalWidth {
  /// Returns the columns of a terminal, at most `TerminalDevice.maxSize`; nil where it is no terminal
  /// or reports no size.
  package static func columns(of descriptor: Int32) -> Int? {
    winsize(of: descriptor).map { min(Int($0.ws_col), TerminalDevice.maxSize.columns) }
  }
}

extension winsize {
  /// Reads the size of a terminal; nil where it reports none.
  fileprivate init?(of descriptor: Int32) {
    self.init()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &self) == 0, ws_col > 0, ws_row > 0 else {
      return nil
    }
  }
}
