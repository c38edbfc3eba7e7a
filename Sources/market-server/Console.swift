import Glibc

/// What the program says to whoever started it.
enum Console {
  /// A line on standard output, written at once.
  static func say(_ line: String) {
    print(line)
    fflush(nil)
  }

  static func complain(_ sentence: String) {
    let line = Array("market-server: \(sentence)\n".utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
