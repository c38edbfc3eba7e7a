import Testing

@testable import TerminalKit

@Suite struct SGRMergingTests {
  @Test(
    arguments: [
      ("a\u{1B}[39m\u{1B}[mb", "a\u{1B}[mb"),
      ("\u{1B}[0;1m\u{1B}[38;5;210m\u{1B}[48;5;236mx", "\u{1B}[0;1;38;5;210;48;5;236mx"),
      ("\u{1B}[m\u{1B}[38;5;1mx", "\u{1B}[0;38;5;1mx"),
      ("\u{1B}[38;2;0;0;0m\u{1B}[0mx", "\u{1B}[mx"),
      ("\u{1B}[1m\u{1B}[2Hx\u{1B}[1m", "\u{1B}[1m\u{1B}[2Hx\u{1B}[1m"),
      ("\u{1B}(B\u{1B}[m\u{1B}[?25l", "\u{1B}(B\u{1B}[m\u{1B}[?25l"),
      ("가\u{1B}[", "가\u{1B}["), ("\u{1B}[1", "\u{1B}[1"), ("", ""),
    ])
  func `looks that stand together become one`(frame: String, merged: String) {
    #expect(SGRMerging.merged(Array(frame.utf8)) == Array(merged.utf8))
  }

  @Test func `no command has more numbers than all terminals take`() {
    let colors = Array("\u{1B}[38;2;1;2;3m\u{1B}[48;2;1;2;3m".utf8)

    let merged = SGRMerging.merged(colors + colors)

    let text = String(decoding: merged, as: UTF8.self)
    #expect(text == "\u{1B}[38;2;1;2;3;48;2;1;2;3;38;2;1;2;3m\u{1B}[48;2;1;2;3m")
  }
}
