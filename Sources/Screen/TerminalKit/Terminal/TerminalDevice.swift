internal import CTerminalGuard
import Glibc
internal import Posix

/// The terminal of this process: its modes, its size, and the bytes to it.
struct TerminalDevice {
  /// Descriptor of the output, which does not block where that can be had.
  let output: Int32
  /// Whether that was opened here, so that nobody else has it.
  let ownsOutput: Bool
  private let input: Int32
  private let original: termios

  /// The largest screen that is drawn; what a window has beyond it stays blank.
  ///
  /// Anybody can claim sizes up to 65,535 × 65,535 (ioctl_tty(2)), which ncurses cannot count and which
  /// would take gigabytes.
  static let maxSize = CellSize(columns: 1_000, rows: 500)

  init(input: Int32, output: Int32) throws(TerminalError) {
    var modes = termios()
    guard isatty(output) == 1, tcgetattr(input, &modes) == 0 else { throw .notATerminal }
    self.input = input
    let own = Self.openWithoutBlocking(output)
    (self.output, ownsOutput) = (own ?? output, own != nil)
    original = modes
  }

  /// Opens a terminal once more, so that not to block is this program's affair alone: the descriptor
  /// that was inherited is shared with the shell.
  private static func openWithoutBlocking(_ descriptor: Int32) -> Int32? {
    let flags = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let own = open("/proc/self/fd/\(descriptor)", flags)
    if own >= 0 { return own }
    // After `su` the terminal's file belongs to somebody else, but the controlling terminal opens.
    guard tcgetsid(descriptor) == getsid(0) else { return nil }
    let controlling = open("/dev/tty", flags)
    return controlling >= 0 ? controlling : nil
  }

  /// The size of the screen to draw; nil where the terminal does not know its size.
  var size: CellSize? {
    window.map {
      CellSize(
        columns: min(Int($0.ws_col), Self.maxSize.columns),
        rows: min(Int($0.ws_row), Self.maxSize.rows))
    }
  }

  /// The size of a cell in pixels; nil where the terminal does not say.
  var cellPixels: CellPixels? {
    guard let window else { return nil }
    return CellPixels(
      checked: Int(window.ws_xpixel / window.ws_col), Int(window.ws_ypixel / window.ws_row))
  }

  private var window: winsize? { winsize(of: output) }

  /// Goes to raw modes and makes sure that every end of the process undoes them, writing `bytes`.
  func takeOver(restoring bytes: [UInt8]) {
    var original = original
    // Bytes that are too many leave what was armed before, and with it the modes.
    _ = terminal_guard_arm(output, &original, bytes, bytes.count)
    var raw = TerminalModes.raw(from: original)
    tcsetattr(input, TCSANOW, &raw)
  }

  /// Gives the terminal back as it was; again and again does no harm.
  func giveBack() { terminal_guard_restore() }

  /// Waits for answers up to the one that ends all others (DA1), as long as the terminal is not
  /// silent for so many milliseconds, and drops all that is typed meanwhile.
  func replies(within milliseconds: Int32) -> [TerminalReply] {
    events(within: milliseconds).compactMap {
      if case .reply(let reply) = $0 { reply } else { nil }
    }
  }

  /// The same with what was typed meanwhile.
  func events(within milliseconds: Int32) -> [InputEvent] {
    var waiting = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    var decoder = KeyDecoder()
    var events: [InputEvent] = []
    while poll(&waiting, 1, milliseconds) > 0 {
      guard let bytes = try? FileDescriptorIO.read(upTo: 4_096, from: input), !bytes.isEmpty else {
        return events
      }
      let next = decoder.feed(bytes)
      events += next
      if next.contains(where: { if case .reply(.attributes) = $0 { true } else { false } }) {
        return events
      }
    }
    return events
  }

  /// Writes a few bytes at once, outside any frame; what a terminal does not take that takes
  /// nothing for so many milliseconds is left out.
  func write(_ bytes: [UInt8], timeout milliseconds: Int32 = 1_000) {
    var rest = bytes[...]
    while !rest.isEmpty {
      do throws(SystemError) {
        try FileDescriptorIO.writeAll(from: &rest, to: output)
      } catch {
        // A lost terminal takes nothing any more; what it was to be told has no reader.
        guard error.number == EAGAIN else { return }
        var room = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
        guard poll(&room, 1, milliseconds) > 0 else { return }
      }
    }
  }
}

/// A terminal that shows nothing of what is typed, until it is given back (getpass(3)).
///
/// Signals that kill give it back as well, and the terminal edits the line as usual.
package struct EchoDisabler {
  /// Nil where the descriptor is no terminal.
  package init?(_ descriptor: Int32) {
    var modes = termios()
    guard tcgetattr(descriptor, &modes) == 0 else { return nil }
    _ = terminal_guard_arm(descriptor, &modes, [], 0)
    modes.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(descriptor, TCSAFLUSH, &modes)
  }

  package func giveBack() { terminal_guard_restore() }
}

/// Width of a terminal that lines are printed on.
package enum TerminalWidth {
  /// Columns of a terminal; nil for anything else, and where the terminal does not know its size.
  package static func columns(of descriptor: Int32) -> Int? {
    winsize(of: descriptor).map { min(Int($0.ws_col), TerminalDevice.maxSize.columns) }
  }
}

extension winsize {
  /// The size of a terminal; nil where it does not know it.
  fileprivate init?(of descriptor: Int32) {
    self.init()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &self) == 0, ws_col > 0, ws_row > 0 else {
      return nil
    }
  }
}
