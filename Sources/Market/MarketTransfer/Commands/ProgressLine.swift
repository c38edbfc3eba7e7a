import Glibc
import Posix
import SafeTextKit
import Synchronization

/// Progress of a long run, in one line of standard error that is rewritten; not shown in a pipe.
package final class ProgressLine: Sendable {
  private let isShown = isatty(STDERR_FILENO) == 1
  private let start = ContinuousClock.now
  /// Time at which the line was last written.
  private let last = Mutex(ContinuousClock.now - .seconds(1))

  package init() {}

  /// Rewrites the line, at most ten times a second; `share` is the completed part, 0 to 1, nil where the
  /// total is unknown.
  package func show(_ count: Int?, share: Double?) {
    guard isShown else { return }
    let now = ContinuousClock.now
    let isDue = last.withLock { last in
      guard now - last >= .milliseconds(100) else { return false }
      last = now
      return true
    }
    if isDue { write("\r" + Self.text(count, share: share, after: now - start) + "\u{1B}[K") }
  }

  /// Writes a permanent line above the progress.
  package func say(_ text: SafeText) {
    write((isShown ? "\r\u{1B}[K" : "") + "market: " + text.string + "\n")
  }

  /// Clears the line.
  package func end() {
    if isShown { write("\r\u{1B}[K") }
  }

  /// `[#####---------------] 25 %  250000  12500/s  -1:00`, with the remaining time last.
  package static func text(_ count: Int?, share: Double?, after time: Duration) -> String {
    let seconds = max(
      0.001, Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18)
    var parts: [String] = []
    if let share {
      let share = min(1, max(0, share))
      let full = Int(share * 20)
      let bar = String(repeating: "#", count: full) + String(repeating: "-", count: 20 - full)
      parts.append("[\(bar)] \(Int(share * 100)) %")
    }
    if let count { parts += ["\(count)", "\(Int(Double(count) / seconds))/s"] }
    if let share, share > 0.005 {
      let left = Int(seconds / share * (1 - share) + 0.5)
      parts.append("-\(left / 60):\(left % 60 < 10 ? "0" : "")\(left % 60)")
    }
    return parts.joined(separator: "  ")
  }

  private func write(_ text: String) {
    try? FileDescriptorIO.writeAll(Array(text.utf8), to: STDERR_FILENO)
  }
}

/// Progress of a run.
package struct TransferProgress: Hashable, Sendable {
  /// Number of products read or written so far.
  package var products: Int
  /// Completed part, 0 to 1; nil where the total is unknown.
  package var share: Double?

  package init(products: Int, share: Double?) {
    self.products = products
    self.share = share
  }
}
