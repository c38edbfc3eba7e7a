import CommandKit
import Expectations
import Testing

struct SpellingTests {
  @Test(arguments: [
    ("exprot", "export"), ("lst", "list"), ("shwo", "show"), ("--sotre", "--store"),
  ])
  func `a slip of the fingers is the word that was meant`(typed: String, meant: String) {
    let words = ["list", "show", "export", "--store", "--server"]

    expect(Spelling.nearest(to: typed, among: words), meant)
  }

  @Test(arguments: ["tcsh", "2020", "--sort", "-5", "lis", "sho"])
  func `only a typo is taken for another word`(typed: String) {
    let words = ["bash", "fish", "2021", "2022", "--store", "x"]

    expect(Spelling.nearest(to: typed, among: words), nil)
  }

  @Test(arguments: ["buy", "--colour", ""])
  func `a word that resembles none is none`(typed: String) {
    expect(Spelling.nearest(to: typed, among: ["list", "show", "--store"]), nil)
  }
}
