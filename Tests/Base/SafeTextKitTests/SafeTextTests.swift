import Expectations
import SafeTextKit
import TestSupport
import Testing

struct SafeTextTests {
  @Test func `plain text stays as it is`() {
    let text = SafeText("자전거 bicycle 12,000원 「새것」 café · ㅋㅋ")

    expect(text.string, "자전거 bicycle 12,000원 「새것」 café · ㅋㅋ")
    expect(text.columns, 44)
    #expect(SafeText("").isEmpty)
    expect(SafeText(-1690).string, "-1690")
  }

  @Test(arguments: [
    ("\u{1B}[2J", "�[2J"), ("\u{1B}]52;c;AAAA\u{7}", "�]52;c;AAAA�"), ("\u{9B}31m", "�31m"),
    ("a\u{7F}\u{8}\u{0}b", "a���b"), ("a\r\nb\tc\u{2028}d\u{85}e", "a b c d e"),
    ("gpj.\u{202E}exe", "gpj.�exe"), ("\u{2066}a\u{2069}\u{61C}\u{200E}", "�a���"),
    ("a\u{200B}b\u{FEFF}c\u{AD}d\u{2060}e", "abcde"), ("\u{115F}\u{1160}\u{3164}\u{FFA0}", "����"),
    ("\u{10EEEE}\u{305}\u{E000}", "�\u{305}�"), ("\u{E0041}\u{FFF9}\u{E0001}", "��"),
    ("\u{0378}\u{FFFE}\u{10FFFF}", "���"), ("a\u{A0}b\u{3000}c", "a b c"),
    ("\u{4DC0}\u{1FAE8}", "��"),
  ])
  func `what acts on the terminal, hides or deceives is shown or dropped`(
    foreign: String, shown: String
  ) {
    #expect(SafeText(foreign).string.unicodeScalars.elementsEqual(shown.unicodeScalars))
  }

  @Test(arguments: [
    ("👨‍👩‍👧", "👨👩👧", 6), ("❤️", "❤", 1), ("👍🏽", "👍", 2), ("🇰🇷", "KR", 2), ("1️⃣", "1", 1),
    ("🏴\u{E0067}\u{E0062}\u{E007F}", "🏴", 2), ("⌚", "⌚", 2), ("🚲", "🚲", 2),
  ])
  func `emoji are reduced to what every terminal draws alike`(
    foreign: String, shown: String, columns: Int
  ) {
    let text = SafeText(foreign)

    #expect(text.string.unicodeScalars.elementsEqual(shown.unicodeScalars))
    expect(text.columns, columns)
  }

  @Test func `decomposed Hangul is the same text as composed Hangul`() {
    let decomposed = SafeText("\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}")

    #expect(decomposed.string.unicodeScalars.elementsEqual("한글".unicodeScalars))
    expect(decomposed, SafeText("한글"))
    expect(decomposed.columns, 4)
  }

  @Test func `letters that join no syllable are drawn as letters of their own`() {
    let text = SafeText("\u{1112}a\u{1161}\u{11AB} \u{A960}")

    expect(text.string, "ㅎaㅏㄴ �")
    expect(text.columns, 9)
  }

  @Test func `marks are capped, and one without a character gets a circle`() {
    let flood = SafeText("x" + String(repeating: "\u{316}\u{301}", count: 100_000) + "y")
    let leading = SafeText("\u{301}a \u{302}")

    expect(flood.columns, 2)
    expect(flood.string.unicodeScalars.count, 6)
    #expect(leading.string.unicodeScalars.elementsEqual("◌\u{301}a ◌\u{302}".unicodeScalars))
    expect(leading.columns, 4)
  }

  @Test func `clusters carry their marks and add up to the width`() {
    let clusters = Array(SafeText("a한e\u{323}\u{332}🚲").clusters)

    expect(clusters.map(\.string), ["a", "한", "ẹ\u{332}", "🚲"])
    expect(clusters.map(\.columns), [1, 2, 1, 2])
  }

  @Test func `random foreign text becomes safe once and for all`() {
    var random = SeededRandom(seed: 7)
    for _ in 0..<2_000 {
      let foreign = random.foreignText(length: 30)

      let text = SafeText(foreign)

      expect(SafeText(text.string), text)
      expect(SafeText(text.string).columns, text.columns)
      expect(text.clusters.reduce(0) { $0 + $1.columns }, text.columns)
      expect(text.clusters.map { String($0.string) }.joined(), text.string)
      #expect(text.clusters.allSatisfy { $0.string.unicodeScalars.count <= 5 && $0.columns > 0 })
    }
  }
}
