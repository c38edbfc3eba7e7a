import TerminalTestSupport

extension TerminalSession {
  /// Changes the size and waits for the frame that answers.
  func resizeAndWait(to size: TerminalSize) throws(TerminalSessionError) {
    let before = output.count
    resize(to: size)
    try wait(for: "a frame of \(size)") { _ in self.output.count > before }
  }

  /// Waits until the list's selected row, which has a bar at its left, holds the text.
  func waitForSelection(_ text: String) throws(TerminalSessionError) {
    try wait(for: "the selection at \(text)") { screen in
      screen.lines.contains { $0.hasPrefix("▌") && $0.contains(text) }
    }
  }
}
