import Expectations
import MarketModel
import Testing

struct WebAddressTests {
  @Test(arguments: [
    ("http://Market.Example", "http://market.example/"),
    ("HTTPS://market.example:443/a?b=c#d", "https://market.example/a?b=c"),
    ("http://market.example?page=1", "http://market.example/?page=1"),
    ("http://[::1]:8080/x", "http://[::1]:8080/x"),
    ("http://market.example/사진.jpg", "http://market.example/%EC%82%AC%EC%A7%84.jpg"),
  ])
  func `an address is read and written in one form`(_ text: String, _ form: String) {
    expect(WebAddress(text)?.text, form)
  }

  @Test(arguments: [
    "", "market.example", "ftp://market.example/", "http://", "http:///x", "http://a b/",
    "http://user:pass@host/", "http://host:0/", "http://host:99999/", "http://host:+80/",
    "http://host:/",
    "http://host/a b", "http://host/\u{1B}[31m", "http://ho\u{0}st/", "http://한국/",
    "http://[::1", "http://[]/", "http://host\\@other/", "javascript:alert(1)",
  ])
  func `what leaves any doubt is no address`(_ text: String) {
    expect(WebAddress(text), nil)
  }

  @Test func `a target is put below an address`() {
    let base = WebAddress("http://host/shop/?x=1")

    expect(base?.appending("/items/1").text, "http://host/shop/items/1")
  }
}
