import Expectations
import SafeTextKit
import Testing

struct NormalizationFormTests {
  private func text(_ text: String, _ form: NormalizationForm) -> [Unicode.Scalar]? {
    var text = text
    return text.withUTF8 { bytes in
      form.withBytes(of: bytes) { Array(String(decoding: $0, as: UTF8.self).unicodeScalars) }
    }
  }

  @Test(arguments: [
    ("각", "\u{1100}\u{1161}\u{11A8}"), ("é", "e\u{301}"), ("plain", "plain"), ("", ""),
    ("\u{1E69}", "s\u{323}\u{307}"),
  ])
  func `a secret is lent in either form`(composed: String, decomposed: String) {
    for spelling in [composed, decomposed] {
      expect(text(spelling, .composed), Array(composed.unicodeScalars))
      expect(text(spelling, .decomposed), Array(decomposed.unicodeScalars))
    }
  }

  @Test func `what no secret is as long as is not worked on`() {
    expect(text(String(repeating: "\u{301}", count: 3_000), .composed), nil)
  }
}
