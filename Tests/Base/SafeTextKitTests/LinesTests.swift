import Expectations
import SafeTextKit
import TestSupport
import Testing

struct LinesTests {
  @Test func `line breaks of all kinds make lines and tabs make columns`() {
    let lines = SafeText.lines("가\tb\r\nc\u{2028}\n\td\u{1B}\u{85}")

    expect(lines.map(\.string), ["가  b", "c", "", "    d�", ""])
    expect(SafeText.lines("").map(\.string), [""])
  }

  @Test func `lines break at spaces and long words are split`() {
    let text = SafeText("중고 자전거 팝니다 https://example.org/a")

    expect(
      text.wrapped(toColumns: 11).map(\.string), ["중고 자전거", "팝니다", "https://exa", "mple.org/a"])
    expect(SafeText("한글").wrapped(toColumns: 1).map(\.string), ["…", "…"])
    expect(SafeText("").wrapped(toColumns: 5), [.empty])
  }

  @Test func `wrapped lines fit and lose nothing but spaces`() {
    var random = SeededRandom(seed: 11)
    for _ in 0..<1_000 {
      let text = SafeText(random.foreignText(length: 60))
      let width = Int.random(in: 2...30, using: &random)

      let lines = text.wrapped(toColumns: width)

      #expect(lines.allSatisfy { $0.columns <= width })
      #expect(lines.allSatisfy { SafeText($0.string).columns == $0.columns })
      expect(withoutSpaces(lines.map(\.string).joined()), withoutSpaces(text.string))
    }
  }

  @Test func `words that fit are never split`() {
    let words = (1...200).map { String(repeating: "가", count: $0 % 5 + 1) }

    let lines = SafeText(words.joined(separator: " ")).wrapped(toColumns: 23)

    expect(lines.map(\.string).joined(separator: " "), words.joined(separator: " "))
  }

  private func withoutSpaces(_ text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { $0 != " " }
  }
}
