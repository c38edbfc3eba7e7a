internal import CTerminalGuard
import Glibc

/// The terminal of this process: its modes, its size, and the bytes to it.
struct TerminalDevice {
  private let input: Int32
  private let output: Int32
  private let original: termios

  init(input: Int32, output: Int32) throws(TerminalError) {
    var modes = termios()
    guard isatty(output) == 1, tcgetattr(input, &modes) == 0 else { throw .notATerminal }
    self.input = input
    self.output = output
    original = modes
  }

  /// The window's size; nil where the terminal does not know it.
  var size: CellSize? {
    window.map { CellSize(columns: Int($0.ws_col), rows: Int($0.ws_row)) }
  }

  /// The size of a cell in pixels; nil where the terminal does not say.
  var cellPixels: CellPixels? {
    guard let window else { return nil }
    return CellPixels(
      checked: Int(window.ws_xpixel / window.ws_col), Int(window.ws_ypixel / window.ws_row))
  }

  private var window: winsize? {
    var window = winsize()
    guard ioctl(output, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
      return nil
    }
    return window
  }

  /// Goes to raw modes and makes sure that every end of the process undoes them.
  ///
  /// - Parameter bytes: what is written when the terminal is given back.
  func takeOver(restoring bytes: [UInt8]) {
    var original = original
    // Bytes that are too many leave what was armed before, and with it the modes.
    _ = terminal_guard_arm(output, &original, bytes, bytes.count)
    var raw = TerminalModes.raw(from: original)
    tcsetattr(input, TCSANOW, &raw)
  }

  /// Gives the terminal back as it was; again and again does no harm.
  func giveBack() { terminal_guard_restore() }

  /// Waits for answers and drops all that is typed meanwhile.
  ///
  /// - Parameter milliseconds: how long the terminal may be silent.
  /// - Returns: what came, up to the answer that ends all others (DA1).
  func replies(within milliseconds: Int32) -> [TerminalReply] {
    var waiting = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    var decoder = KeyDecoder()
    var buffer = [UInt8](repeating: 0, count: 4096)
    var replies: [TerminalReply] = []
    while poll(&waiting, 1, milliseconds) > 0 {
      let count = read(input, &buffer, buffer.count)
      guard count > 0 else { return replies }
      for case .reply(let reply) in decoder.feed(Array(buffer[..<count])) {
        replies.append(reply)
        if case .attributes = reply { return replies }
      }
    }
    return replies
  }

  /// Writes all, waiting as long as the terminal does not take it; a lost terminal takes anything.
  func write(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = Glibc.write(
          output, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count > 0 {
          rest = rest.dropFirst(count)
        } else if errno == EAGAIN {
          var waiting = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
          poll(&waiting, 1, -1)
        } else if errno != EINTR {
          return
        }
      }
    }
  }
}
