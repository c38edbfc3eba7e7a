import TerminalTestSupport

extension TerminalSession {
  /// Waits until the list's selected row, which has a bar at its left, holds the text.
  func waitForSelection(_ text: String) throws(TerminalSessionError) {
    try wait(for: "the selection at \(text)") { screen in
      screen.lines.contains { $0.hasPrefix("▌") && $0.contains(text) }
    }
  }
}
