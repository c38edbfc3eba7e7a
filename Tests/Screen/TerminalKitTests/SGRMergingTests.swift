import Expectations
import Testing

@testable import TerminalKit

struct SGRMergingTests {
  private static func merged(_ frame: String, _ pairs: [PairTable.Colors] = []) -> String {
    var merging = SGRMerging()
    merging.pairs = pairs
    return String(decoding: merging.merged(Array(frame.utf8)), as: UTF8.self)
  }

  private static let pairs = [(-1, -1), (20, 200), (20, 16), (0x010203, -1)].map {
    PairTable.Colors(foreground: $0.0, background: $0.1)
  }

  @Test(
    arguments: [
      ("a\u{1}1;b\u{1}0;c", "a\u{1B}[38;5;20;48;5;200mb\u{1B}[39;49mc"),
      ("\u{1}1;a\u{1}2;b", "\u{1B}[38;5;20;48;5;200ma\u{1B}[48;5;16mb\u{1B}[39;49m"),
      ("\u{1}1;\u{1}0;a", "a"), ("\u{1}3;a\u{1B}[m", "\u{1B}[38;2;1;2;3ma\u{1B}[m"),
      ("\u{1}2;a\u{1B}[0;1m\u{1}2;b", "\u{1B}[38;5;20;48;5;16ma\u{1B}[0;1;38;5;20;48;5;16mb"),
      ("\u{1}1;a\u{1}2", "\u{1B}[38;5;20;48;5;200ma\u{1}2"), ("\u{1}9;a", "a"),
    ])
  func `pairs become the colours that the terminal does not write in already`(
    frame: String, merged: String
  ) {
    let ending = "\u{1B}[m"

    let text = Self.merged(frame + ending, Self.pairs)

    expect(text, Self.merged(merged + ending))
  }

  @Test(
    arguments: [
      ("a\u{1B}[39m\u{1B}[mb", "a\u{1B}[mb"),
      ("\u{1B}[0;1m\u{1B}[38;5;210m\u{1B}[48;5;236mx", "\u{1B}[0;1;38;5;210;48;5;236mx"),
      ("\u{1B}[m\u{1B}[38;5;1mx", "\u{1B}[0;38;5;1mx"),
      ("\u{1B}[38;2;0;0;0m\u{1B}[0mx", "\u{1B}[mx"),
      ("\u{1B}[1m\u{1B}[2Hx\u{1B}[1m", "\u{1B}[1m\u{1B}[2Hx\u{1B}[1m"),
      ("\u{1B}(B\u{1B}[m\u{1B}[?25l", "\u{1B}(B\u{1B}[m\u{1B}[?25l"),
      ("\u{1B}[ma\u{1B}[0;1mb\u{1B}[0;2mc", "\u{1B}[ma\u{1B}[1mb\u{1B}[0;2mc"),
      ("가\u{1B}[", "가\u{1B}["), ("\u{1B}[1", "\u{1B}[1"), ("", ""),
    ])
  func `looks that stand together become one`(frame: String, merged: String) {
    expect(Self.merged(frame), merged)
  }

  @Test func `no command has more numbers than all terminals take`() {
    let colors = Array("\u{1B}[38;2;1;2;3m\u{1B}[48;2;1;2;3m".utf8)

    let text = Self.merged(String(decoding: colors + colors, as: UTF8.self))

    expect(text, "\u{1B}[38;2;1;2;3;48;2;1;2;3;38;2;1;2;3m\u{1B}[48;2;1;2;3m")
  }
}
