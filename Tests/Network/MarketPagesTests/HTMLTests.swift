import Expectations
import MarketPages
import SafeTextKit
import TestSupport
import Testing

struct HTMLTests {
  @Test(arguments: [
    ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
    ("\" onload=\"x", "&quot; onload=&quot;x"),
    ("' onload='x", "&#39; onload=&#39;x"),
    ("a & b &lt;", "a &amp; b &amp;lt;"),
    ("</title><!--", "&lt;/title&gt;&lt;!--"),
    ("자전거 ₩1,000", "자전거 ₩1,000"),
  ])
  func `text comes out as text, whatever it means in markup`(text: String, escaped: String) {
    let piece: HTML = "<b title=\"\(SafeText(text))\">\(SafeText(text))</b>"

    let written = String(decoding: piece.bytes, as: UTF8.self)

    expect(written, "<b title=\"\(escaped)\">\(escaped)</b>")
  }

  @Test func `no text of random characters ends an attribute or an element`() {
    var random = SeededRandom(seed: 15)
    let alphabet = Array("<>\"'&/=! -#;a가\u{0}\u{202E}\u{FFFD}\n".unicodeScalars)

    for _ in 0..<2_000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        text.append(alphabet[Int.random(in: 0..<alphabet.count, using: &random)])
      }
      let piece: HTML = "\(SafeText(String(text)))"

      #expect(!piece.bytes.contains { [0x22, 0x27, 0x3C, 0x3E].contains($0) || $0 < 0x20 })
    }
  }

  @Test func `pieces within a piece stay what they are`() {
    let rows: [HTML] = ["<li>\(1)</li>", "<li>\(SafeText("<"))</li>"]

    let list: HTML = "<ul>\(rows)\(HTML.empty)</ul>"

    expect(String(decoding: list.bytes, as: UTF8.self), "<ul><li>1</li><li>&lt;</li></ul>")
  }
}
