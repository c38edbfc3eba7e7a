import Expectations
import MarketViewModels
import SafeTextKit
import Testing

/// Which addresses in a seller's text are links.
struct WebLinkTests {
  private func links(_ text: String) -> [String] {
    WebLink.occurrences(in: SafeText(text)).map(\.link.address)
  }

  @Test(arguments: [
    ("see https://a.example/b?c=d#e now", ["https://a.example/b?c=d#e"]),
    (
      "사진은 http://a.example/1에서, 또는 https://b.example입니다",
      ["http://a.example/1", "https://b.example"]
    ),
    ("(https://a.example/x_(y)).", ["https://a.example/x_(y)"]),
    ("Ask mailto:ana@a.example, please", ["mailto:ana@a.example"]),
    ("mailto:ana@a.example?subject=Lamp", ["mailto:ana@a.example?subject=Lamp"]),
    ("HTTPS://A.EXAMPLE", ["HTTPS://A.EXAMPLE"]),
    ("https://[::1]:8080/", ["https://[::1]:8080/"]),
  ])
  func `an address is a link as it stands, without the marks behind it`(
    text: String, expected: [String]
  ) {
    expect(links(text), expected)
  }

  @Test(arguments: [
    "ftp://a.example", "javascript:alert(1)", "file:///etc/passwd", "https://", "http:// a.example",
    "https://bank.example@evil.example/", "https://b\u{430}nk.example/",
    "https://\u{430}pple.example",
    "xhttps://a.example", "mailto:nobody", "mailto:@a.example", "http:a.example",
    "https://a.example\u{FF0E}evil.example/".replacing("a.example", with: "\u{FF41}"),
  ])
  func `what could lead elsewhere than it says is none`(text: String) {
    #expect(links(text).isEmpty)
  }

  @Test func `an address that is too long to be shown in full is none`() {
    let longest = "https://a.example/" + String(repeating: "b", count: 682)

    expect(links(longest), [longest])
    #expect(links(longest + "b").isEmpty)
  }

  @Test(arguments: [
    "mailto:a@a.example?attach=/etc/passwd", "mailto:a@a.example?subject=b&%61ttach=c",
    "mailto:a@a.example?bcc=c@a.example",
  ])
  func `an address of mail names neither files nor other readers`(text: String) {
    #expect(links(text).isEmpty)
  }

  @Test func `a text of nothing but beginnings is soon looked through`() {
    let text = String(repeating: "h", count: 50_000) + String(repeating: ".mailto:", count: 2_000)

    #expect(links(text).isEmpty)
  }

  @Test func `a link stands where its text does, wide letters before it counted`() {
    let occurrences = WebLink.occurrences(in: "한강 https://a.example 참고")

    expect(occurrences.map(\.columns), [5..<22])
  }
}
