import Expectations
import SafeTextKit
import Testing

struct CuttingTests {
  static let texts: [SafeText] = [
    "", "a", "한", "한글 mixed 텍스트 e\u{301} 🚲 끝", "plain ascii text", "한한한한한한한한",
  ]

  @Test(arguments: texts, 0...40)
  func `truncated and padded text never exceeds its width`(text: SafeText, width: Int) {
    let truncated = text.truncated(toColumns: width)
    let padded = text.padded(toColumns: width, alignment: .center)

    #expect(truncated.columns <= width)
    #expect(truncated == text || width == 0 || truncated.string.hasSuffix("…"))
    #expect(truncated == text || text.columns > width)
    expect(padded.columns, width)
    expect(SafeText(truncated.string).columns, truncated.columns)
    expect(SafeText(padded.string).columns, padded.columns)
  }

  @Test(arguments: texts, 0...40)
  func `a prefix and the rest make up the width of the text`(text: SafeText, width: Int) {
    let head = text.prefix(columns: width)
    let rest = text.dropping(columns: width)

    #expect(head.columns <= width)
    expect(rest.columns, max(0, text.columns - width))
    expect(SafeText(rest.string).columns, rest.columns)
    #expect(head.columns < min(width, text.columns) || (head + rest) == text)
  }

  @Test func `half of a wide cell is a space`() {
    expect(SafeText("한글x").dropping(columns: 1).string, " 글x")
    expect(SafeText("한글x").truncated(toColumns: 4).string, "한…")
  }

  @Test func `joined texts have the width of their parts`() {
    let joined = ([SafeText("가"), "b", "다"] as [SafeText]).joined(separator: " · ")

    expect(joined.string, "가 · b · 다")
    expect(joined.columns, 11)
    expect([SafeText]().joined(separator: ", "), .empty)
    expect([SafeText]().joined(separator: ", ").columns, 0)
  }
}
