import MarketViewModels
import SafeText
import Testing

/// Which addresses in a seller's text are links.
@Suite struct WebLinkTests {
  private func links(_ text: String) -> [String] {
    WebLink.places(in: SafeText(text)).map(\.link.address)
  }

  @Test(arguments: [
    ("see https://a.example/b?c=d#e now", ["https://a.example/b?c=d#e"]),
    (
      "사진은 http://a.example/1에서, 또는 https://b.example입니다",
      ["http://a.example/1", "https://b.example"]
    ),
    ("(https://a.example/x_(y)).", ["https://a.example/x_(y)"]),
    ("Ask mailto:ana@a.example, please", ["mailto:ana@a.example"]),
    ("HTTPS://A.EXAMPLE", ["HTTPS://A.EXAMPLE"]),
    ("https://[::1]:8080/", ["https://[::1]:8080/"]),
  ])
  func `an address is a link as it stands, without the marks behind it`(
    text: String, expected: [String]
  ) {
    #expect(links(text) == expected)
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

  @Test func `a link stands where its text does, wide letters before it counted`() {
    let places = WebLink.places(in: "한강 https://a.example 참고")

    #expect(places.map(\.columns) == [5..<22])
  }
}
