import Expectations
import MarketModel
import Testing

@testable import market

struct PictureFileNameTests {
  @Test(arguments: [
    ("로드 자전거!", "로드-자전거.jpg"), ("../../etc/passwd", "etc-passwd.jpg"), ("/root", "root.jpg"),
    (".hidden", "hidden.jpg"), ("-rf", "rf.jpg"), ("a\u{0}b", "a-b.jpg"), ("", "picture.jpg"),
    ("\u{1B}]0;owned\u{7}", "0-owned.jpg"), ("\u{202E}gpj.exe", "gpj-exe.jpg"),
    ("..", "picture.jpg"),
  ])
  func `a name leads nowhere, hides nothing and is no option`(text: String, expected: String) {
    expect(PictureFileName(text, format: .jpeg).attempt(1), expected)
  }

  @Test func `a name fits into a file system`() {
    let name = PictureFileName(String(repeating: "가", count: 1_000), format: .webp).attempt(99)

    #expect(name.utf8.count <= 255)
    #expect(name.hasSuffix("가-99.webp"))
  }
}
