import Glibc
import TerminalTestSupport

extension TerminalSession {
  /// Watches the product under the cursor for a price below this one.
  func watchForPrice(below price: String) throws {
    type("t")
    try wait(forText: "Price below…")
    type("<Enter>")
    try wait(forText: "Alert me below this price")
    type(KeyScript(price + "<Enter>"))
    try wait(forText: "Alert set")
  }

  /// Changes the size and waits for the frame that answers; of a size that has room for all of the
  /// top bar, whose last word stands a cell from the right, not for one that was on its way before.
  func resizeAndWait(to size: TerminalSize) throws(TerminalSessionError) {
    let before = output.count
    resize(to: size)
    let hasTopBar = size.columns >= 80 && size.rows >= 24
    try wait(for: "a frame of \(size)") { screen in
      self.output.count > before
        && (!hasTopBar || screen.lastWrittenColumn(ofRow: 0) == size.columns - 2)
    }
  }

  /// Waits until all keys that were typed have been obeyed: help is opened behind them and left.
  func waitForKeys() throws(TerminalSessionError) {
    func helpStands(_ screen: EmulatorScreen) -> Bool {
      screen.contains("─ Keys: ") || screen.contains("─ 키: ")
    }
    type("?")
    try wait(for: "the help", until: helpStands)
    type("<Esc>")
    try wait(for: "the end of the help") { !helpStands($0) }
  }

  /// Waits until nothing more is written: the terminal's answers and all pictures have been taken.
  func comeToRest() {
    var pauses = 0
    while !listen(for: .milliseconds(300)).isEmpty, pauses < 50 { pauses += 1 }
  }

  /// Ends the program without a word, as in a power cut.
  func kill() throws(TerminalSessionError) {
    terminal.signal(SIGKILL)
    _ = try waitForExit()
  }

  /// Waits until the list's selected row, which has a bar at its left, holds the text.
  func waitForSelection(_ text: String) throws(TerminalSessionError) {
    try wait(for: "the selection at \(text)") { screen in
      screen.lines.contains { $0.hasPrefix("▌") && $0.contains(text) }
    }
  }
}

extension EmulatorScreen {
  /// The last column of a row that is not blank; -1 where all are.
  fileprivate func lastWrittenColumn(ofRow row: Int) -> Int {
    (0..<size.columns).last { ![" ", ""].contains(cell(row: row, column: $0).text) } ?? -1
  }
}
