import Expectations
import MarketAPI
import MarketModel
import MarketPages
import TestSupport
import Testing

struct SitemapTests {
  @Test(arguments: [
    ("/sitemap.xml", Sitemap.Page.index), ("/sitemap-1.xml", .part(1)),
    ("/sitemap-20.xml", .part(20)),
  ])
  func `its files have addresses`(path: String, page: Sitemap.Page) {
    expect(Sitemap.Page(RequestTarget(parsing: path)), page)
    expect(page.path, path)
  }

  @Test(arguments: [
    "/sitemap-0.xml", "/sitemap-01.xml", "/sitemap--1.xml", "/sitemap-x.xml", "/sitemap-.xml",
    "/sitemap-99999999999999999999.xml", "/sitemap-60000.xml", "/sitemap.xml/1",
  ])
  func `other addresses are none of its files`(path: String) {
    expect(Sitemap.Page(RequestTarget(parsing: path)), nil)
  }

  @Test(arguments: [(0, 1), (1, 1), (50_000, 1), (50_001, 2), (1_000_000, 20)])
  func `a part has fifty thousand products at most`(count: Int, parts: Int) {
    let index = String(
      decoding: Sitemap.index(of: count, below: "https://market.example"), as: UTF8.self)

    expect(index.ranges(of: "<sitemap>").count, parts)
    #expect(index.contains("<loc>https://market.example/sitemap-\(parts).xml</loc>"))
  }

  @Test func `a product stands in it with the instant of its last change`() {
    var entries = Sitemap.Entries()
    entries.append(.sample(id: 7, created: 1_700_000_000))

    let part = Sitemap.part(entries, below: "https://a.example/?x&y")

    expect(
      String(decoding: part, as: UTF8.self).split(separator: "\n").dropFirst(2),
      [
        "<url><loc>https://a.example/?x&amp;y/products/7</loc>"
          + "<lastmod>2023-11-14T22:13:20Z</lastmod></url>",
        "</urlset>",
      ])
  }

  @Test func `products of any numbers and instants stand in it in their order`() {
    let ids: [Int64] = [3, 2, 1, .max, .min, 0, -1, 1 << 40, 127, 128, 16_384]
    let times: [Int64] = [1_700_000_000, 0, -1, 253_402_300_799, -62_135_596_800]
    var entries = Sitemap.Entries()
    var expected: [String] = []
    for id in ids {
      for time in times {
        let product = Product.sample(id: id, created: time)
        entries.append(product)
        expected.append(
          "<url><loc>https://a.example/products/\(id)</loc>"
            + "<lastmod>\(WireDate.instant(product.changed))</lastmod></url>")
      }
    }

    let part = Sitemap.part(entries, below: "https://a.example")

    let rows = String(decoding: part, as: UTF8.self).split(separator: "\n").map(String.init)
    expect(Array(rows.dropFirst(2).dropLast()), expected)
    expect(entries.count, expected.count)
  }

  @Test func `crawlers are kept out of searches, and told of the map where there is one`() {
    let bare = String(decoding: Robots.bytes(publicAddress: nil), as: UTF8.self)
    let full = String(
      decoding: Robots.bytes(publicAddress: "https://market.example"), as: UTF8.self)

    #expect(bare.contains("Disallow: /?q=\n") && !bare.contains("Sitemap"))
    #expect(full.hasSuffix("\nSitemap: https://market.example/sitemap.xml\n"))
  }
}
