import Glibc
import MarketMoving
import SafeText

/// What the program says outside its screen.
enum Console {
  static func say(_ text: SafeText) { say(text.string) }

  /// Says lines of the program's own on standard output; ends the program where that takes nothing.
  ///
  /// Where nobody reads on, as behind `| head`, the program ends as any other does: by SIGPIPE.
  static func say(_ lines: String) {
    guard let error = write(lines, to: STDOUT_FILENO) else { return }
    if error == EPIPE {
      signal(SIGPIPE, SIG_DFL)
      raise(SIGPIPE)
    }
    fail(SafeText(String(cString: strerror(error))), status: 1)
  }

  /// Says on standard error what a person should know of a run that goes on.
  static func warn(_ text: SafeText) { _ = write("market: " + text.string, to: STDERR_FILENO) }

  /// Says on standard error why the program ends, and ends it.
  static func fail(_ text: SafeText, status: Int32) -> Never {
    warn(text)
    exit(status)
  }

  /// Writes all of a text and a line feed.
  ///
  /// - Returns: nil, or the system's number of what is in the way.
  private static func write(_ text: String, to descriptor: Int32) -> Int32? {
    Descriptor.writeAll(Array((text + "\n").utf8), to: descriptor)
  }
}
