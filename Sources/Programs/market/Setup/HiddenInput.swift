import CommandKit
import Glibc
import Posix
import SafeTextKit
import TerminalKit

/// Reader of a secret line: typed at the terminal without echo, or read from a pipe.
enum HiddenInput {
  /// Reads the first line without its line end; nil if there is none.
  ///
  /// At a terminal it shows `lines` and the prompt.
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
