import CommandKit
import Glibc
import Posix
import SafeTextKit
import TerminalKit

/// A line that nobody shall see: typed at the terminal without an echo, or read from a pipe.
enum HiddenInput {
  /// The first line without its end, for which a person at the terminal is asked; nil where there
  /// is none.
  ///
  /// `lines` stand above the prompt.
  static func read(asking prompt: SafeText, for lines: [SafeText] = []) -> String? {
    guard let terminal = EchoDisabler(STDIN_FILENO) else { return Console.readLine() }
    defer {
      terminal.giveBack()
      print("")
    }
    let text = (lines + [prompt]).map(\.string).joined(separator: "\n") + " "
    try? FileDescriptorIO.writeAll(Array(text.utf8), to: STDERR_FILENO)
    return Console.readLine()
  }
}
