import Expectations
import MarketViewModels
import Testing

struct WildcardTests {
  private let names = ["a.jpg", "b1.jpg", "b[1].jpg", "\u{1100}\u{1161}.jpg", "자전거.jpg", ".c.jpg"]

  @Test(arguments: [
    ("*.jpg", ["a.jpg", "b1.jpg", "b[1].jpg", "가.jpg", "자전거.jpg"]),
    ("?.jpg", ["a.jpg", "가.jpg"]), ("???.jpg", ["자전거.jpg"]), ("[가-힣].jpg", ["가.jpg"]),
    ("b[0-9].jpg", ["b1.jpg"]), (#"b\[1\].jpg"#, ["b[1].jpg"]),
    ("[!a가]*1*", ["b1.jpg", "b[1].jpg"]),
    ("b[]x[]1*", ["b[1].jpg"]), ("*거*", ["자전거.jpg"]), (".*", [".c.jpg"]),
    ("**.jpg*", ["a.jpg", "b1.jpg", "b[1].jpg", "가.jpg", "자전거.jpg"]),
    ("", []), ("[", []), ("b[z-a]*", []), ("*.png", []), ("a.jp", []),
  ])
  func `names match as in a shell, in letters and not in bytes`(pattern: String, found: [String]) {
    expect(names.filter(Wildcard(pattern).matches), found)
  }

  @Test(arguments: [
    ("a.jpg", "a.jpg"), (#"\[1\]\*.jpg"#, "[1]*.jpg"), (#"a\\b"#, #"a\b"#), ("[1", "[1"),
    ("*.jpg", nil), ("[1].jpg", nil), (#"\\?"#, nil),
  ])
  func `a pattern without wildcards is one name`(pattern: String, name: String?) {
    expect(Wildcard(pattern).literal, name)
  }

  @Test func `many stars cost no more than a moment`() {
    let name = String(repeating: "a", count: 255)

    #expect(!Wildcard(String(repeating: "*a", count: 2_000) + "b").matches(name))
  }
}
