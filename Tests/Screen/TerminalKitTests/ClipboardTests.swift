import Expectations
import SafeTextKit
import Testing

@testable import TerminalKit

struct ClipboardTests {
  private func command(_ text: String, _ wrapper: Passthrough = .direct) -> String {
    String(decoding: Clipboard.taking(SafeText(text), wrapper), as: UTF8.self)
  }

  @Test func `a text goes as base 64, so that nothing in it acts`() {
    expect(command("자전거"), "\u{1B}]52;c;7J6Q7KCE6rGw\u{1B}\\")
  }

  @Test func `inside tmux it can be handed on to the terminal around`() {
    expect(command("hi", .tmux), "\u{1B}Ptmux;\u{1B}\u{1B}]52;c;aGk=\u{1B}\u{1B}\\\u{1B}\\")
  }

  @Test func `a long text is cut`() {
    #expect(command(String(repeating: "x", count: 100_000)).utf8.count < 3_000)
  }
}
