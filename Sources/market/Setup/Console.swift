import Glibc
import Posix
import SafeText

/// What the program says outside its screen.
enum Console {
  static func say(_ text: SafeText) { say(text.string) }

  /// Says lines of the program's own on standard output; ends the program where that takes nothing.
  ///
  /// Where nobody reads on, as behind `| head`, the program ends as any other does: by SIGPIPE.
  static func say(_ lines: String) {
    do throws(SystemError) {
      try write(lines, to: STDOUT_FILENO)
    } catch {
      if error.number == EPIPE {
        signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
      }
      fail(SafeText(error.description), status: 1)
    }
  }

  /// Says on standard error what a person should know of a run that goes on.
  static func warn(_ text: SafeText) { try? write("market: " + text.string, to: STDERR_FILENO) }

  /// Says on standard error why the program ends, and ends it.
  static func fail(_ text: SafeText, status: Int32) -> Never {
    warn(text)
    exit(status)
  }

  /// Writes all of a text and a line feed.
  private static func write(_ text: String, to descriptor: Int32) throws(SystemError) {
    try Descriptor.writeAll(Array((text + "\n").utf8), to: descriptor)
  }
}
