import Glibc
import Posix
import SafeTextKit

/// Standard input and output of programs without a screen.
package enum Console {
  package static func say(_ text: SafeText) { say(text.string) }

  /// Prints lines on standard output; exits with `ExitStatus.failure` where that fails.
  ///
  /// For a closed pipe, as behind `| head`, the program ends by SIGPIPE.
  package static func say(_ lines: String) { say(bytes(of: lines)) }

  /// Prints lines that end in line feeds; exits as `say(_:)` does.
  package static func say(_ lines: [UInt8]) {
    do throws(SystemError) {
      try FileDescriptorIO.writeAll(lines, to: STDOUT_FILENO)
    } catch {
      if error.number == EPIPE {
        signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
      }
      fail(SafeText(error.description), status: ExitStatus.failure)
    }
  }

  /// Prints a line on standard output and ignores failures.
  package static func mention(_ line: String) { try? write(line, to: STDOUT_FILENO) }

  /// Prints a warning on standard error and ignores failures.
  package static func warn(_ text: SafeText) {
    try? write(program + ": " + text.string, to: STDERR_FILENO)
  }

  /// Prints an error on standard error and exits.
  package static func fail(_ text: SafeText, status: Int32) -> Never {
    warn(text)
    exit(status)
  }

  /// Reads the first line of standard input, without its end; nil for an empty one, or at the end.
  ///
  /// Reads byte by byte, so that the following lines stay in the pipe; at most 65,536 bytes, more
  /// than any password has.
  package static func readLine() -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.count < 1 << 16, read(STDIN_FILENO, &byte, 1) == 1, byte != UInt8(ascii: "\n") {
      bytes.append(byte)
    }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  /// Asks a question at the terminal; true if it is answered with yes.
  package static func confirms(_ question: SafeText) -> Bool {
    try? FileDescriptorIO.writeAll(Array((question + " ").string.utf8), to: STDERR_FILENO)
    return ["y", "yes", "ㅛ", "예", "네"].contains((readLine() ?? "").lowercased())
  }

  /// Name by which the program was started, without its folder.
  private static let program =
    CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? ""

  /// Writes a text and a line feed.
  private static func write(_ text: String, to descriptor: Int32) throws(SystemError) {
    try FileDescriptorIO.writeAll(bytes(of: text), to: descriptor)
  }

  private static func bytes(of line: String) -> [UInt8] { Array((line + "\n").utf8) }
}

/// Exit statuses of failures; scripts rely on them.
package enum ExitStatus {
  package static let failure: Int32 = 1
  /// Invalid command line.
  package static let usage: Int32 = 2
  /// Wrong password.
  package static let wrongPassword: Int32 = 3
  /// The requested object does not exist.
  package static let notFound: Int32 = 4
  /// Nothing new.
  package static let nothingNew: Int32 = 5
}
