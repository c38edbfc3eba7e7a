import Glibc
import SafeText

/// What the program says outside its screen.
enum Console {
  static func say(_ text: SafeText) {
    print(text.string)
  }

  /// Says on standard error why the program ends, and ends it.
  static func fail(_ text: SafeText, status: Int32) -> Never {
    let line = Array(("market: " + text.string + "\n").utf8)
    _ = write(STDERR_FILENO, line, line.count)
    exit(status)
  }
}
