import Expectations
import MarketModel
import MarketPages
import SafeTextKit
import TestSupport
import Testing

/// What RFC 4287 asks of a feed, element by element.
struct AtomFeedTests {
  private static let hostile =
    "]]><entry/>&amp; <b>\"' \u{0}\u{8}\u{FFFE}\u{FFFF}\u{1B}[31m \u{202E}\u{200F}שלום 😀👨‍👩‍👧 e\u{301}"

  private func feed(
    _ products: [Product], _ descriptions: [String]? = nil, line: String = "",
    after: String? = nil, next: String? = nil, _ setting: PageContext? = nil
  ) -> (feed: AtomFeed, text: String) {
    let page = ProductPage(
      products: products, total: .exactly(products.count),
      next: next.map { .after(PageCursor(rawValue: $0)) })
    let feed = AtomFeed(
      of: page, describedBy: descriptions ?? products.map { _ in "As good as new." }, line: line,
      after: after.map { PageCursor(rawValue: $0) },
      setting ?? PageSamples.setting(publicAddress: "https://market.example", name: "Flea market"))
    return (feed, String(decoding: feed.bytes, as: UTF8.self))
  }

  /// The texts of all elements of a name that have no elements within.
  private func texts(_ name: String, in text: Substring) throws -> [String] {
    let expression = try Regex("<\(name)(?: [^>]*)?>([^<]*)</\(name)>")
    return text.matches(of: expression).map { String($0.output[1].substring ?? "") }
  }

  private func links(_ relation: String, in text: Substring) throws -> [String] {
    let expression = try Regex("<link rel=\"\(relation)\" type=\"[a-z+/]+\" href=\"([^\"]*)\"/>")
    return text.matches(of: expression).map { String($0.output[1].substring ?? "") }
  }

  private func entries(_ text: String) -> [Substring] {
    text.matches(of: /(?s)<entry>.*?<\/entry>/).map(\.output)
  }

  @Test func `names and texts from the right are isolated, others are as they are`() throws {
    let (_, text) = feed(
      [.sample(id: 1, name: "שולחן (חדש)", price: 1_000), .sample(id: 2, name: "Desk (new)")],
      ["במצב טוב.", "As good as new."])

    #expect(text.contains(">\u{2068}שולחן (חדש)\u{2069}</title>"))
    #expect(text.contains(" · \u{2068}במצב טוב.\u{2069}</summary>"))
    #expect(text.contains(">Desk (new)</title>"))
  }

  @Test func `a feed and each entry have what they must have, once`() throws {
    var bike = Product.sample(
      id: 12, seller: Seller(id: Seller.ID(rawValue: 3), name: "Hana"), name: "Road bike",
      price: 240_000, discount: 60_000, stock: 1)
    bike.changed = Timestamp(seconds: 1_700_090_000)
    bike.isReserved = true

    let (feed, text) = feed([bike, .sample(id: 3)], next: "c1")
    let head = text[..<(try #require(text.firstRange(of: "<entry>")).lowerBound)]
    let entries = entries(text)

    #expect(
      text.hasPrefix(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"en\">"
      ))
    try expect(texts("id", in: head), ["https://market.example/feed.atom"])
    try expect(texts("title", in: head), ["Flea market"])
    try expect(texts("updated", in: head), ["2023-11-15T23:13:20Z"])
    expect(feed.changed, bike.changed)
    try expect(texts("name", in: head).count, 1)
    try expect(links("self", in: head), ["https://market.example/feed.atom"])
    try expect(links("alternate", in: head), ["https://market.example/"])
    try expect(links("next", in: head), ["https://market.example/feed.atom?after=c1"])
    expect(entries.count, 2)
    for entry in entries {
      for name in ["id", "title", "updated", "published", "name", "summary"] {
        try expect(texts(name, in: entry).count, 1)
      }
      try expect(links("alternate", in: entry), try texts("id", in: entry))
      expect(entry.matches(of: /<(title|summary) type="text">/).count, 2)
    }
    try expect(texts("id", in: entries[0]), ["https://market.example/products/12"])
    try expect(texts("name", in: entries[0]), ["Hana"])
    try expect(texts("summary", in: entries[0]), ["Reserved · ₩180,000 · As good as new."])
    expect(Set(try entries.flatMap { try texts("id", in: $0) }).count, 2)
  }

  @Test func `an empty feed has what a feed must have, and no change of its own`() throws {
    let (feed, text) = feed([], nil, PageSamples.setting())

    #expect(feed.changed == nil && entries(text).isEmpty)
    try expect(texts("updated", in: text[...]), ["1970-01-01T00:00:00Z"])
    try expect(texts("name", in: text[...]), ["OpenMarket"])
    try expect(texts("id", in: text[...]), ["http://127.0.0.1:8080/feed.atom"])
  }

  @Test func `a search has a feed of its own, whose pages are one feed`() throws {
    let (_, text) = feed([.sample()], line: "bike <200000", after: "c/1")

    let head = text[..<(try #require(text.firstRange(of: "<entry>")).lowerBound)]
    try expect(texts("id", in: head), ["https://market.example/feed.atom?q=bike%20%3C200000"])
    try expect(
      links("self", in: head),
      ["https://market.example/feed.atom?q=bike%20%3C200000&amp;after=c%2F1"])
    try expect(links("alternate", in: head), ["https://market.example/?q=bike%20%3C200000"])
    try expect(texts("title", in: head), ["bike &lt;200000 · Flea market"])
  }

  @Test func `no text of a stranger is markup, or what XML refuses`() throws {
    let product = Product.sample(
      seller: Seller(id: Seller.ID(rawValue: 3), name: Self.hostile), name: Self.hostile,
      currency: Currency(rawValue: "<b>"))
    let setting = PageSamples.setting(publicAddress: "https://market.example", name: Self.hostile)

    let (_, text) = feed(
      [product], [String(repeating: Self.hostile, count: 100)], line: Self.hostile, setting)

    expect(entries(text).count, 1)
    try expect(texts("title", in: text[...]).count, 2)
    #expect(!text.contains("]]>") && !text.contains("<b>") && text.contains("שלום"))
    #expect(!text.contains(/&(?!amp;|lt;|gt;|quot;|#39;)/))
    #expect(
      text.unicodeScalars.allSatisfy {
        // Char of XML 1.0, without what steers the direction of text.
        ($0.value >= 0x20 || $0 == "\n") && $0.value != 0xFFFE && $0.value != 0xFFFF
          && !(0x7F...0x9F).contains($0.value) && $0 != "\u{202E}" && $0 != "\u{200F}"
      })
    #expect(text.utf8.count < 8 << 10)
  }

  @Test func `every list leads to its feed, a product to that of all`() throws {
    let seller = Seller(id: Seller.ID(rawValue: 3), name: "Hana")
    let setting = PageSamples.setting()
    let byHer = ListContent(
      of: .sample([1]), by: ListContent.SellerHead(seller, setting), seller.id, after: nil, setting)
    let contents = [
      (PageSamples.list([]), "/feed.atom"),
      (PageSamples.list([], line: "bike", after: "c1"), "/feed.atom?q=bike"),
      (PageSamples.product(.sample()), "/feed.atom"),
      (PageContent(.list(byHer), at: .seller(seller.id, after: nil)), "/feed.atom?q=%40%233"),
      (PageContent(.notice("Nothing"), at: nil), "/feed.atom"),
    ]

    for (content, address) in contents {
      let link = try Markup(PageSamples.html(content)).elements("link").first {
        $0.attributes["rel"] == "alternate"
      }
      expect(link?.attributes["type"], "application/atom+xml")
      expect(link?.attributes["href"], address)
    }
  }
}
