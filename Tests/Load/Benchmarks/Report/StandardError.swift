import Glibc

/// Lines beside the report: progress and failures.
enum StandardError {
  static func print(_ line: String) {
    _ = (line + "\n").withCString { write(STDERR_FILENO, $0, strlen($0)) }
  }
}
