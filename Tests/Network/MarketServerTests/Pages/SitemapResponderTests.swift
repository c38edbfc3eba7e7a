import Expectations
import MarketAPI
import MarketModel
import MarketServer
import TestSupport
import Testing

struct SitemapResponderTests {
  private static let count = 50_002

  /// Addresses of eight hundred characters make a map of more bytes than the memory takes.
  private static let address = "https://market.example/" + String(repeating: "a", count: 800)

  @Test func `the map of a large market is read once an hour, whatever its size`() async throws {
    let served = try await ServedStore()
    let market = InterruptedMarket(served.store, making: Self.count)
    let clock = served.clock
    let api = MarketResponder(
      market,
      MarketResponder.Options(publicAddress: .fixed(Self.address), now: { clock.seconds }))
    let pages = PagesResponder(
      PagesResponder.Options(decode: { _, _ in nil }, measure: { _ in nil }), before: api)
    let paths = ["/sitemap.xml", "/sitemap-1.xml", "/sitemap-2.xml"]

    var maps: [[HTTPResponse]] = []
    for _ in 1...2 {
      var round: [HTTPResponse] = []
      for path in paths { round.append(await pages.answer(path, [:])) }
      maps.append(round)
    }

    expect(market.pageCount, 51)
    expect(maps[0], maps[1])
    #expect(maps[0].allSatisfy { $0.status == .ok })
    let rows = maps[0].map { String(decoding: $0.body, as: UTF8.self).split(separator: "\n") }
    expect(rows.map(\.count), [5, 50_003, 5])
    #expect(
      rows[1][2].hasPrefix("<url><loc>\(Self.address)/products/50002</loc><lastmod>2023-11-14"))
    #expect(rows[2][3].hasPrefix("<url><loc>\(Self.address)/products/1</loc>"))
    await expect(pages.answer("/sitemap-3.xml", [:]).status, .notFound)
    clock.advance(by: 3_600)
    _ = await pages.answer("/sitemap-2.xml", [:])
    expect(market.pageCount, 52)
  }
}
