import CommandKit
import Testing

@Suite struct SpellingTests {
  @Test(arguments: [
    ("exprot", "export"), ("lst", "list"), ("shwo", "show"), ("--sotre", "--store"),
  ])
  func `a slip of the fingers is the word that was meant`(typed: String, meant: String) {
    let words = ["list", "show", "export", "--store", "--server"]

    #expect(Spelling.nearest(to: typed, among: words) == meant)
  }

  @Test(arguments: ["buy", "--colour", ""])
  func `a word that resembles none is none`(typed: String) {
    #expect(Spelling.nearest(to: typed, among: ["list", "show", "--store"]) == nil)
  }
}
