import Expectations
import MarketModel
import Testing

/// Spellings that a search takes for one.
struct SearchTokenizerTests {
  private let tokenizer = SearchTokenizer()

  private func finds(_ search: String, in text: String) -> Bool {
    tokenizer.wanted(by: ProductQuery(text: search)).areMet(by: [text], tokenizer)
  }

  @Test(arguments: [
    ("아이폰 15 프로", "아이폰15프로"), ("갤럭시 S23 울트라", "갤럭시s23울트라"), ("32 인치 TV", "32인치tv"),
    ("LG 27인치", "lg27인치"), ("Wi-Fi router", "wifi router"), ("T-shirt", "tshirt"),
    ("Sony WH-1000XM4", "sony wh1000xm4"), ("USB-C", "usbc"), ("Wi‑Fi", "wifi"), ("a_b.c", "abc"),
    ("256 GB", "256gb"), ("15 inches", "15 inches"), ("2 T-shirts", "2 tshirts"),
    ("iPhone 15 Pro", "iphone15pro"), ("iPhone 13 mini", "iphone13 mini"), ("1.5 kg", "1.5kg"),
    ("1-2", "1-2"), ("15 16", "15 16"), ("cheap enough", "cheap enough"), ("a - b", "a - b"),
    ("a--b", "a--b"), ("lamp.", "lamp."), ("½ inch", "1/2 inch"), ("1½", "1 1/2"),
    ("에어팟-프로", "에어팟프로"), ("책 한 권", "책한권"), ("v2.0", "v2.0"), ("no.5", "no5"),
  ])
  func `blanks and connectors that spellings differ in vanish`(text: String, line: String) {
    expect(tokenizer.line(of: text), line)
    expect(tokenizer.line(of: line), line)
  }

  @Test(arguments: [
    ("아이폰15", "아이폰 15 프로", true), ("아이폰 15", "아이폰15프로", true), ("wifi", "Wi-Fi", true),
    ("wi-fi", "WiFi", true), ("wi fi", "Wi-Fi", true), ("에어팟프로2", "에어팟 프로 2세대", true),
    ("27 인치", "27인치", true), ("1/2", "½ inch wrench", true), ("½", "1/2 inch", true),
    ("1½", "1 1/2 inch", true), ("pen", "cheap enough", false), ("15", "1.5 kg", false),
    ("1.5", "15 kg", false), ("256gb", "256 GB", true), ("256 gb", "256GB", true),
  ])
  func `a search finds the other spelling`(search: String, text: String, isFound: Bool) {
    expect(finds(search, in: text), isFound)
  }

  @Test func `phrases and exclusions have the same form`() {
    let wanted = tokenizer.wanted(
      by: ProductQuery(phrases: ["아이폰 15"], without: ["wi fi", "t-shirt"]))

    #expect(wanted.areMet(by: ["아이폰15 프로"], tokenizer))
    #expect(!wanted.areMet(by: ["아이폰15, Tshirt"], tokenizer))
    #expect(wanted.areMet(by: ["아이폰 15", "Wi-Fi"], tokenizer))
  }

  @Test(arguments: [
    ("dkdlvhs", "아이폰"), ("ㅑㅔㅗㅐㅜㄷ", "iphone"), ("ㅡㅁㅊㅠㅐㅐㅏ", "macbook"), ("wkwjsrj", "자전거"),
    ("Dkdlvhs", "아이폰"), ("dkdlvhs 15", "아이폰 15"), ("rkqt", "값"), ("rkqtdms", "값은"),
    ("Rhc", "꽃"), ("dhks", "완"), ("dmltk", "의사"), ("맥북", "aorqnr"), ("ㄳ", "rt"), ("rrk", "ㄱ가"),
  ])
  func `a search has what the same keys type in the other mode`(text: String, other: String) {
    let request = SearchRequest(reading: text)

    expect(request.inOtherKeyboardMode?.termsText, other)
  }

  @Test func `without letters of a mode, and in exclusions, nothing is typed otherwise`() {
    expect(SearchRequest(reading: "15 <20000 -apple").inOtherKeyboardMode, nil)
    expect(SearchRequest(reading: "zzz").inOtherKeyboardMode, nil)
  }
}
