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
}
