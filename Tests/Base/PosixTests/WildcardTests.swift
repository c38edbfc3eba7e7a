import Posix
import Testing

@Suite struct WildcardTests {
  private let names = ["a.jpg", "b1.jpg", "b[1].jpg", "자전거.jpg", ".c.jpg"]

  @Test(arguments: [
    ("*.jpg", ["a.jpg", "b1.jpg", "b[1].jpg", "자전거.jpg"]),
    ("?.jpg", ["a.jpg"]), ("???.jpg", ["자전거.jpg"]), ("[가-힣]*", ["자전거.jpg"]),
    ("b[0-9].jpg", ["b1.jpg"]), (#"b\[1\].jpg"#, ["b[1].jpg"]), ("[!a]*1*", ["b1.jpg", "b[1].jpg"]),
    (".*", [".c.jpg"]), ("", []), ("[", []), ("*.png", []),
  ])
  func `names match as in a shell, in letters and not in bytes`(pattern: String, matches: [String]) {
    #expect(Wildcard.matching(pattern, in: names) { $0 } == matches)
  }

  @Test(arguments: [
    ("a.jpg", "a.jpg"), (#"\[1\]\*.jpg"#, "[1]*.jpg"), (#"a\\b"#, #"a\b"#), ("*.jpg", nil),
    ("[1].jpg", nil), (#"\\?"#, nil),
  ])
  func `a pattern without wildcards is one name`(pattern: String, name: String?) {
    #expect(Wildcard.literal(pattern) == name)
  }

  @Test func `many stars cost no more than a moment`() {
    let name = String(repeating: "a", count: 250)

    let matches = Wildcard.matching(String(repeating: "*a", count: 100) + "b", in: [name]) { $0 }

    #expect(matches.isEmpty)
  }
}
