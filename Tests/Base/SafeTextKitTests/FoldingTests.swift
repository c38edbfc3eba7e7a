import Expectations
import SafeTextKit
import TestSupport
import Testing

struct FoldingTests {
  @Test(arguments: [
    ("Earbuds", "EARBUDS"), ("Straße", "STRASSE"), ("\u{1112}\u{1161}\u{11AB}", "한"),
    ("e\u{301}", "É"), ("ΣΊΣΥΦΟΣ", "σίσυφος"), ("갤럭시", "갤럭시"),
    // In any locale.
    ("İI", "ıi"), ("İSTANBUL", "istanbul"),
    // Marks of Latin letters.
    ("Café", "cafe"), ("Crème brûlée", "creme brulee"), ("Łódź", "lodz"),
    ("Smørrebrød", "smorrebrod"),
    ("Việt Nam", "viet nam"), ("a\u{323}\u{302}\u{20DD}", "a"),
    // Widths and other forms for compatibility.
    ("ＭＵＧ　１２", "mug 12"), ("ﾊﾟﾝ", "パン"), ("ｶﾞｽ", "ガス"), ("㎏", "kg"), ("ﬁn", "fin"), ("①②", "12"),
    ("ﾡￂﾤ", "ㄱㅏㄴ"), ("㉮㉠", "가ㄱ"), ("㈜", "(주)"),
    // Apostrophes and quotes.
    ("L’Oréal", "l'oreal"), ("Levi´s Levi`s Levi‘s Leviʼs", "levi's levi's levi's levi's"),
    ("“mug” «mug» „mug‟ ＂mug〞", "\"mug\" \"mug\" \"mug\" \"mug\""), ("27″", "27\""),
    // The same letters in another order of their marks.
    ("α\u{345}\u{301}", "α\u{301}\u{345}"),
  ])
  func `texts that a search takes for equal fold to the same scalars`(left: String, right: String) {
    expect(Array(left.folded.unicodeScalars), Array(right.folded.unicodeScalars))
  }

  @Test(arguments: [
    ("mug", "rug"), ("가", "나"), ("й", "и"), ("ά", "α"), ("が", "か"), ("パ", "ハ"), ("ㄱㅏ", "가"),
    ("ㄳ", "ㄱㅅ"),
  ])
  func `other texts stay different`(left: String, right: String) {
    #expect(left.folded != right.folded)
  }

  @Test func `letters of Hangul that stand alone are as they are typed`() {
    expect("ㅈㅈㄱ 자ㅈ ㅋㅋㅏ\u{3164}".folded, "ㅈㅈㄱ 자ㅈ ㅋㅋㅏ\u{3164}")
    expect("\u{110C}\u{110C}\u{1100}".folded, "ㅈㅈㄱ")
  }

  @Test func `whatever is folded stays so, and does not depend on its normalization form`() {
    var random = SeededRandom(seed: 28)
    for _ in 0..<20_000 {
      let text = HardLetters.text(of: 0...10, &random)
      let folded = text.folded

      expect(scalars(folded.folded), scalars(folded), "\(scalars(text))")
      expect(scalars(text.precomposed.folded), scalars(folded), "\(scalars(text))")
    }
    let marks = "α" + String(repeating: "\u{344}", count: 40)
    expect(marks.folded.folded, marks.folded)
  }

  private func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

  @Test func `texts of plain letters are folded as they are beside any other`() {
    var random = SeededRandom(seed: 12)
    let letters = Array("aZ09 ~`'\"가힣각一漢鿿丐".unicodeScalars)
    for _ in 0..<500 {
      let count = Int.random(in: 0...12, using: &random)
      let plain = (0..<count).compactMap { _ in letters.randomElement(using: &random) }
      let text = String(String.UnicodeScalarView(plain))

      expect((text + "Ж").folded, text.folded + "ж", "\(text)")
    }
  }
}
