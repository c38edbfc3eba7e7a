import Glibc
import Posix
import SafeTextKit
import TerminalKit

/// A line that nobody shall see: typed at the terminal without an echo, or read from a pipe.
enum HiddenInput {
  /// Bytes of a line, far more than a password has.
  private static let longest = 1 << 16

  /// The first line without its end, for which a person at the terminal is asked; nil where there
  /// is none.
  ///
  /// `lines` stand above the prompt.
  static func read(asking prompt: SafeText, for lines: [SafeText] = []) -> String? {
    guard let terminal = EchoDisabler(STDIN_FILENO) else { return line() }
    defer {
      terminal.giveBack()
      print("")
    }
    let text = (lines + [prompt]).map(\.string).joined(separator: "\n") + " "
    try? FileDescriptorIO.writeAll(Array(text.utf8), to: STDERR_FILENO)
    return line()
  }

  /// Reads byte by byte: what follows the line is for whoever reads on.
  private static func line() -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.count < longest, Glibc.read(STDIN_FILENO, &byte, 1) == 1,
      byte != UInt8(ascii: "\n")
    {
      bytes.append(byte)
    }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }
}
