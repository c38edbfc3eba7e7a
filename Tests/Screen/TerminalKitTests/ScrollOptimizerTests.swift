import Testing

@testable import TerminalKit

/// How frames of ncurses that move lines are told from others.
struct ScrollOptimizerTests {
  @Test(arguments: ["\u{1B}[2;19r\n", "a\u{1B}[3S", "\u{1B}[T", "\u{1B}[4L", "\u{1B}[M"])
  func `a frame that scrolls or shifts lines moves them`(frame: String) {
    #expect(ScrollOptimizer.movesLines(Array(frame.utf8)))
  }

  @Test(arguments: [
    "", "rSTLM", "\u{1B}[2;3HS", "\u{1B}[1;38;5;7mMore", "\u{1B}(B\u{1B}[mr", "\u{1B}[?25lL",
  ])
  func `a frame of text and colours does not`(frame: String) {
    #expect(!ScrollOptimizer.movesLines(Array(frame.utf8)))
  }
}
