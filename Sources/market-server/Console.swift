import Glibc
import Posix

/// What the program says to whoever started it.
enum Console {
  /// A line on standard output, written at once.
  static func say(_ line: String) {
    print(line)
    fflush(nil)
  }

  static func complain(_ sentence: String) {
    try? Descriptor.writeAll(Array("market-server: \(sentence)\n".utf8), to: STDERR_FILENO)
  }
}
