import MarketAPI
import MarketModel
import MarketPages
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct SitemapTests {
  @Test(arguments: [
    ("/sitemap.xml", Sitemap.Place.index), ("/sitemap-1.xml", .part(1)),
    ("/sitemap-20.xml", .part(20)),
  ])
  func `its files have addresses`(path: String, place: Sitemap.Place) {
    #expect(Sitemap.Place(RequestTarget(parsing: path)) == place)
    #expect(place.path == path)
  }

  @Test(arguments: [
    "/sitemap-0.xml", "/sitemap-01.xml", "/sitemap--1.xml", "/sitemap-x.xml", "/sitemap-.xml",
    "/sitemap-99999999999999999999.xml", "/sitemap-60000.xml", "/sitemap.xml/1",
  ])
  func `other addresses are none of its files`(path: String) {
    #expect(Sitemap.Place(RequestTarget(parsing: path)) == nil)
  }

  @Test(arguments: [(0, 1), (1, 1), (50_000, 1), (50_001, 2), (1_000_000, 20)])
  func `a part has fifty thousand products at most`(count: Int, parts: Int) {
    let index = String(
      decoding: Sitemap.index(of: count, below: "https://market.example"), as: UTF8.self)

    #expect(index.ranges(of: "<sitemap>").count == parts)
    #expect(index.contains("<loc>https://market.example/sitemap-\(parts).xml</loc>"))
  }

  @Test func `a product stands in it with the instant of its last change`() {
    var bytes: [UInt8] = []

    Sitemap.append(
      .sample(id: 7, created: 1_700_000_000), below: "https://a.example/?x&y", to: &bytes)

    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "<url><loc>https://a.example/?x&amp;y/products/7</loc>"
        + "<lastmod>2023-11-14T22:13:20Z</lastmod></url>\n")
  }

  @Test func `crawlers are kept out of searches, and told of the map where there is one`() {
    let bare = String(decoding: Robots.bytes(publicAddress: nil), as: UTF8.self)
    let full = String(
      decoding: Robots.bytes(publicAddress: "https://market.example"), as: UTF8.self)

    #expect(bare.contains("Disallow: /?q=\n") && !bare.contains("Sitemap"))
    #expect(full.hasSuffix("\nSitemap: https://market.example/sitemap.xml\n"))
  }
}
