import Expectations
import Testing

@testable import MarketViewModels

struct PathWordsTests {
  @Test(arguments: [
    ("a.jpg b.png", ["a.jpg", "b.png"]),
    ("  '/tmp/my bike.jpg'  ", ["/tmp/my bike.jpg"]),
    (#""/tmp/그 자전거.jpg" x"#, ["/tmp/그 자전거.jpg", "x"]),
    (#"/tmp/my\ bike.jpg"#, ["/tmp/my bike.jpg"]),
    ("file:///tmp/my%20bike.jpg", ["/tmp/my bike.jpg"]),
    ("file://localhost/tmp/%EA%B0%80.jpg", ["/tmp/가.jpg"]),
    ("~/bike.jpg ~", ["/home/me/bike.jpg", "/home/me"]),
    ("/a.jpg\n/b.jpg\n", ["/a.jpg", "/b.jpg"]),
    ("", []),
  ])
  func `paths are found as a shell or a terminal writes them`(text: String, paths: [String]) {
    expect(PathWords.paths(in: text, home: "/home/me").map(\.path), paths)
  }

  @Test(arguments: [
    ("~/new wares/*.jpg", [nil, "wares/*.jpg"]),
    ("~/*.jpg", [#"/home/\[me\]/*.jpg"#]),
    ("[ab]?.png", ["[ab]?.png"]),
    (#"'a*.jpg' b\*.jpg "c?.jpg""#, [nil, nil, nil]),
    (#"'[1] of 2'*.jpg"#, [#"\[1\] of 2*.jpg"#]),
    ("file:///tmp/*.jpg", [nil]),
  ])
  func `what is quoted is no pattern`(text: String, patterns: [String?]) {
    expect(PathWords.paths(in: text, home: "/home/[me]").map(\.pattern), patterns)
  }

  @Test func `an escaped path reads as itself`() {
    let path = #"/tmp/the "old" bike's \ photo [1]*?.jpg"#

    let words = PathWords.paths(in: PathWords.escaped(path), home: "")

    expect(words, [PathWord(path: path, pattern: nil)])
  }

  @Test func `the last word begins behind the last space that divides`() {
    expect(PathWords.startOfLastWord(in: #"a.jpg /my\ pic"#), 6)
    expect(PathWords.startOfLastWord(in: "a.jpg "), 6)
    expect(PathWords.startOfLastWord(in: "a.jpg"), 0)
  }
}
