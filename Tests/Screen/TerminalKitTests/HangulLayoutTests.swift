import Expectations
import SafeTextKit
import TerminalKit
import Testing

struct HangulLayoutTests {
  @Test(
    arguments: [
      ("ㅓ", "j"), ("ㅏ", "k"), ("ㅃ", "Q"), ("ㅊ", "c"), ("ㅣ", "l"), ("ㅡ", "m"), ("ㅎ", "g"),
      ("ㅖ", "P"), ("ㄳ", "rt"), ("ㅢ", "ml"), ("한", "gks"), ("값", "rkqt"), ("뷁", "qnpfr"),
      ("각", "rkr"), ("힣", "glg"), ("가", "rk"), ("\u{1112}\u{1161}\u{11AB}", "gks"),
    ] as [(Character, String)])
  func `jamo and syllables are the keys that type them`(character: Character, keys: String) {
    expect(String(HangulLayout.latinKeys(for: character)), keys)
  }

  @Test(arguments: ["j", "G", "字", " ", "👍", "\u{3164}"] as [Character])
  func `everything else has no keys`(character: Character) {
    #expect(HangulLayout.latinKeys(for: character).isEmpty)
  }

  @Test func `every jamo of the keyboard leads to its own key`() {
    let jamo: [Character] = Array("ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔㅁㄴㅇㄹㅎㅗㅓㅏㅣㅋㅌㅊㅍㅠㅜㅡㅃㅉㄸㄲㅆㅒㅖ")

    let keys = jamo.flatMap(HangulLayout.latinKeys)

    expect(String(keys), "qwertyuiopasdfghjklzxcvbnmQWERTOP")
  }

  @Test func `shortcuts keep their modifiers`() {
    expect(KeyPress(.character("ㅊ"), .control).shortcuts, [.control("c")])
    expect(KeyPress("한").shortcuts, ["g", "k", "s"])
    expect(KeyPress.enter.shortcuts, [.enter])
  }
}
