import Glibc
import Posix
import SafeTextKit

/// Console: what a program says outside its screen.
package enum Console {
  package static func say(_ text: SafeText) { say(text.string) }

  /// Says lines of the program's own on standard output; ends the program where that takes nothing.
  ///
  /// Where nobody reads on, as behind `| head`, the program ends as any other does: by SIGPIPE.
  package static func say(_ lines: String) { say(bytes(of: lines)) }

  /// Says lines, of which each has its line feed.
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

  /// Says a line on standard output that may get lost while the program goes on.
  package static func mention(_ line: String) { try? write(line, to: STDOUT_FILENO) }

  /// Says on standard error what a person should know of a run that goes on.
  package static func warn(_ text: SafeText) {
    try? write(program + ": " + text.string, to: STDERR_FILENO)
  }

  /// Says on standard error why the program ends, and ends it.
  package static func fail(_ text: SafeText, status: Int32) -> Never {
    warn(text)
    exit(status)
  }

  /// The first line of standard input without its end; nil where there is none.
  ///
  /// Reads byte by byte: what follows the line stays in the pipe for a later read. What is longer than any password is cut.
  package static func readLine() -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.count < 1 << 16, read(STDIN_FILENO, &byte, 1) == 1, byte != UInt8(ascii: "\n") {
      bytes.append(byte)
    }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  /// The name that the program was started by, without its folder.
  private static let program =
    CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? ""

  /// Writes all of a text and a line feed.
  private static func write(_ text: String, to descriptor: Int32) throws(SystemError) {
    try FileDescriptorIO.writeAll(bytes(of: text), to: descriptor)
  }

  private static func bytes(of line: String) -> [UInt8] { Array((line + "\n").utf8) }
}

/// Exit statuses where not everything went well; scripts rely on them.
package enum ExitStatus {
  package static let failure: Int32 = 1
  /// The command line cannot be understood.
  package static let usage: Int32 = 2
  /// Somebody typed a wrong password.
  package static let wrongPassword: Int32 = 3
  /// The thing that was asked for is not there.
  package static let notFound: Int32 = 4
  /// Nothing is new.
  package static let nothingNew: Int32 = 5
}
