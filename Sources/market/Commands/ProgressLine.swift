import Glibc

/// How far a long run is, in one line of standard error that rewrites itself; silent in a pipe.
nonisolated struct ProgressLine: Sendable {
  private let total: Int
  private let isShown = isatty(STDERR_FILENO) == 1

  init(total: Int) {
    self.total = total
  }

  func show(_ done: Int) {
    guard isShown else { return }
    write("\r\(done * 100 / max(1, total)) %")
  }

  /// Takes the line away.
  func end() {
    if isShown { write("\r\u{1B}[K") }
  }

  private func write(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
  }
}
