import SafeText
import Testing

@Suite struct FoldingTests {
  @Test(arguments: [
    ("Earbuds", "EARBUDS"), ("Straße", "STRASSE"), ("\u{1112}\u{1161}\u{11AB}", "한"),
    ("e\u{301}", "É"), ("ΣΊΣΥΦΟΣ", "σίσυφος"), ("갤럭시", "갤럭시"),
  ])
  func `texts that a search takes for equal fold to the same scalars`(left: String, right: String) {
    #expect(Array(left.folded.unicodeScalars) == Array(right.folded.unicodeScalars))
  }

  @Test func `other texts stay different`() {
    #expect("mug".folded != "rug".folded)
    #expect("가".folded != "나".folded)
  }

  @Test func `texts of plain letters are folded as they are beside any other`() {
    var random = SystemRandomNumberGenerator()
    let letters = Array("aZ09 ~가힣각一漢鿿丐".unicodeScalars)
    for _ in 0..<500 {
      let count = Int.random(in: 0...12, using: &random)
      let plain = (0..<count).compactMap { _ in letters.randomElement(using: &random) }
      let text = String(String.UnicodeScalarView(plain))

      #expect((text + "É").folded == text.folded + "é", "\(text)")
    }
  }
}
