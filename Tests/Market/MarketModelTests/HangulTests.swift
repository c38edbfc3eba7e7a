import Expectations
import MarketModel
import Testing

struct HangulTests {
  private static func finds(_ word: String, in text: String) -> Bool {
    LetterPattern.letters(of: Array(word.unicodeScalars)).occur(in: Array(text.unicodeScalars))
  }

  @Test func `each syllable has its parts, and is made of them again`() throws {
    for value in UInt32(0xAC00)...0xD7A3 {
      let scalar = try #require(Unicode.Scalar(value))
      let parts = try #require(Hangul.parts(of: scalar))
      let opened = try #require(Hangul.parts(of: parts.opened))

      expect(opened.final, 0)
      expect(parts.opened.value + UInt32(parts.final), value)
      expect(Hangul.opened(parts.initial, parts.vowel), parts.opened)
    }
    expect(Hangul.parts(of: "\u{ABFF}"), nil)
    expect(Hangul.parts(of: "\u{D7A4}"), nil)
    expect(Hangul.parts(of: "각"), Hangul.parts(of: "\u{AC01}"))
  }

  @Test(arguments: [
    ("ㅈㅈㄱ", "자전거"), ("ㅈㄱ", "자전거"), ("ㅈㅈㄱ", "무선자전거팝니다"), ("자저", "자전거"),
    ("자ㅈ", "자전거"), ("자전ㄱ", "자전거"), ("자전거", "자전거"), ("ㅋㅋ", "ㅋㅋㅋ"), ("ㅋ", "커피"),
    ("자", "작"), ("lgㅁ", "lg모니터"), ("ㄲ", "까치"), ("힣", "힣"), ("ㅎ", "힣"), ("히", "힣"), ("ㄳ", "ㄳ"),
  ])
  func `a word is found by what was typed of it`(word: String, text: String) {
    #expect(Self.finds(word, in: text))
  }

  @Test(arguments: [
    ("ㅈㄱ", "자 거"), ("자저ㄴ", "자번거"), ("잔", "자전거"), ("자더", "자전거"), ("ㄱ", "까치"), ("ㅏ", "자"),
    ("저거", "전거"), ("ㄳ", "감사"), ("ㅈ전", "자전"), ("x", ""), ("가", "나"), ("가", "까"),
  ])
  func `a word is not found by something else`(word: String, text: String) {
    #expect(!Self.finds(word, in: text))
  }
}
