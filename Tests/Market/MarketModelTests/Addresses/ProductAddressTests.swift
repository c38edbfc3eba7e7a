import Expectations
import MarketModel
import TestSupport
import Testing

struct ProductAddressTests {
  @Test(arguments: [
    ("https://market.example/products/12", "https://market.example/products/12"),
    ("HTTP://Market.Example:80/products/12?T&picture=2#top", "http://market.example/products/12"),
    ("https://example.com/market/products/12", "https://example.com/market/products/12"),
    ("https://a.example/products/3/products/4", "https://a.example/products/3/products/4"),
    ("http://[::1]:8080/products/7", "http://[::1]:8080/products/7"),
    ("http://a.example/벼룩/products/7", "http://a.example/%EB%B2%BC%EB%A3%A9/products/7"),
    ("openmarket://market.example/products/12", "https://market.example/products/12"),
    ("OpenMarket://[::1]:8443/m/products/1?x", "https://[::1]:8443/m/products/1"),
    (
      "https://a.example/products/9223372036854775807",
      "https://a.example/products/9223372036854775807"
    ),
  ])
  func `an address is read and written in one form`(_ text: String, _ form: String) {
    expect(ProductAddress(text)?.text, form)
  }

  @Test func `what it is made of is the market and the number`() throws {
    let address = try #require(ProductAddress("openmarket://example.com/market/products/12"))

    expect(address.market.text, "https://example.com/market")
    expect(address.product, Product.ID(rawValue: 12))
    expect(ProductAddress("http://a.example/products/1")?.market.text, "http://a.example/")
  }

  @Test(arguments: [
    "", "12", "market.example/products/12", "/products/12", "products/12", "-x", "--help", "~/a",
    "file:///products/12", "ftp://a.example/products/12", "javascript://a.example/products/12",
    "https://a.example", "https://a.example/", "https://a.example/products",
    "https://a.example/products/", "https://a.example/products/12/", "https://a.example/product/12",
    "https://a.example/oldproducts/12", "https://a.example/products/0",
    "https://a.example/products/-1", "https://a.example/products/+1",
    "https://a.example/products/012", "https://a.example/products/1.5",
    "https://a.example/products/١٢", "https://a.example/products/12%20",
    "https://a.example/products/9223372036854775808", "https://a.example/?/products/12",
    "https://a.example#/products/12", "https://user@a.example/products/12",
    "https://user:secret@a.example/products/12", "https://a.example@evil.example/products/12",
    "https://a.example:+80/products/12", "https://a.example:0/products/12",
    "https://a.example\\products/12", "https://a.example//products/12",
    "https://a.example/../products/12", "https://a.example/m/./products/12",
    "https://a.example/%2e%2E/products/12", "https://a.example/m%2fn/products/12",
    "https://a.example/m%5Cn/products/12", "https://a.example/m%00/products/12",
    "https://a.example/m%0d%0a/products/12", "https://a.example/m n/products/12",
    "https://a.example/products/12 ", " https://a.example/products/12",
    "https://a.example/products/12\n", "https://a\u{1B}[2J.example/products/12",
    "https://аррӏе.example/products/12", "https:///products/12", "https://:80/products/12",
    "http:a.example/products/12", "openmarket:a.example/products/12", "openmarket:///products/12",
    "openmarket:https://a.example/products/12", "openmarket:--help", "openmarket:",
    "openmarket://user@a.example/products/12", "openmarket:/products/12",
    "openmarket+http://a.example/products/12", "https://[fe80::1%25eth0]/products/12",
    "https://a.example/\(String(repeating: "m", count: 1_000))/products/12",
  ])
  func `what leaves any doubt is no address`(_ text: String) {
    expect(ProductAddress(text), nil)
  }

  @Test func `what is written is read back, whatever the market and the number`() throws {
    var random = SeededRandom(seed: 15)
    for _ in 0..<2_000 {
      let market = try #require(WebAddress(Self.marketText(&random)))
      let id = Product.ID(rawValue: Int64.random(in: 1...Int64.max, using: &random))

      let address = try #require(ProductAddress(id, in: market))

      expect(ProductAddress(address.text), address)
      #expect(address.market == market.withoutEnding && address.product == id)
      if address.market.origin.scheme == .https {
        expect(ProductAddress("openmarket" + address.text.dropFirst(5)), address)
      }
    }
  }

  @Test func `random texts are no addresses that could not be written again`() {
    var random = SeededRandom(seed: 16)
    let pieces = [
      "https://", "openmarket://", "/products/", "12", "0", "a.example", "@", "%2e", "..", "/",
      "?", "#", ":", "\\", "[::1]", "-", "\u{0}", "한",
    ]
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 1...7, using: &random))
        .map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }.joined()
      guard let address = ProductAddress(text) else { continue }
      expect(ProductAddress(address.text), address, "\(text)")
    }
  }

  @Test func `a product below a path that others resolve has none`() throws {
    for text in ["http://a.example/m/../n", "http://a.example/a//b", "http://a.example/%2e"] {
      expect(ProductAddress(Product.ID(rawValue: 1), in: try #require(WebAddress(text))), nil)
    }
    let market = try #require(WebAddress("http://a.example"))
    expect(ProductAddress(Product.ID(rawValue: 0), in: market), nil)
  }

  @Test(arguments: [
    ("Bike · ₩90,000 · 12 · https://a.example/products/12", true),
    ("\nhttps://a.example/products/12\n", true),
    ("https://a.example/products/12 https://a.example/products/12", true),
    ("https://a.example/products/12 https://a.example/products/13", false),
    ("a bike", false),
    (String(repeating: "x ", count: 2_000) + "https://a.example/products/12", false),
  ])
  func `of a text the one address counts`(_ text: String, _ isFound: Bool) {
    expect(ProductAddress.only(in: text) != nil, isFound)
  }

  private static func marketText(_ random: inout SeededRandom) -> String {
    let names = Array("abcdefghijklmnopqrstuvwxyz0123456789-_.~")
    func word(_ first: Character, _ count: ClosedRange<Int>) -> String {
      String(
        [first]
          + (0..<Int.random(in: count, using: &random)).map { _ in
            names[Int.random(in: 0..<names.count - 2, using: &random)]
          })
    }
    let host = ["[::1]", "10.0.0.7", word("h", 0...9) + ".example"].randomElement(using: &random)
    let port =
      Bool.random(using: &random) ? ":\(UInt16.random(in: 1...65_535, using: &random))" : ""
    let path = (0..<Int.random(in: 0...3, using: &random)).map { _ in "/" + word("m", 0...5) }
    let ending = ["", "/", "?q=1"].randomElement(using: &random) ?? ""
    let scheme = Bool.random(using: &random) ? "https://" : "http://"
    return scheme + (host ?? "") + port + path.joined() + ending
  }
}
