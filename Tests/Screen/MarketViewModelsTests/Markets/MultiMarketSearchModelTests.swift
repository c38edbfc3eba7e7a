import EditorKit
import Expectations
import MarketModel
import MarketViewModels
import SafeTextKit
import SellingTestSupport
import TestSupport
import Testing

struct MultiMarketSearchModelTests {
  private struct Stage {
    let clock = ManualClock()
    let local: Navigator
    let markets: Markets
    let fake: FakeMarkets
    let search: MultiMarketSearchModel

    init() throws {
      local = Navigator(
        browser: BrowserModel(
          repository: GatedProductRepository(), arrangement: .list, pageSize: 4, clock: clock),
        gallery: PictureGallery(loader: NoPictures()), marketName: nil, clock: clock,
        now: { Timestamp(seconds: 0) })
      markets = Markets(local)
      fake = FakeMarkets(["a", "b"], behind: markets, clock: clock)
      local.searchEverywhere(SearchRequest(reading: "bike"))
      search = try #require(local.stack.top as? MultiMarketSearchModel)
      search.list.didLayOut(rows: 20)
    }

    func answer(_ key: String, _ ids: [Int64]) async throws {
      try await fake.finds(of: key).next().answer(.sample(ids))
      await until { [search] in
        search.sources.contains { $0.market.key.rawValue == key && $0.state != .asking }
      }
    }
  }

  @Test func `finds come under their market as each answers, in no order`() async throws {
    let stage = try Stage()
    expect(stage.search.list.rowCount, 3)

    try await stage.answer("server-b", [2, 1])

    expect(stage.search.sources[2].products.map(\.id.rawValue), [2, 1])
    expect(stage.search.sources[0].state, .asking)
    expect(stage.search.list.rowCount, 5)
    #expect(stage.search.list.selected != nil)
  }

  @Test func `the selected find stays selected while others come above it`() async throws {
    let stage = try Stage()
    try await stage.answer("server-b", [2, 1])
    stage.search.move(.down)
    let before = stage.search.list.selected

    try await stage.answer("local", [9, 8, 7])

    expect(stage.search.list.selected, before)
  }

  @Test func `a market that does not answer is named and holds up nobody`() async throws {
    let stage = try Stage()
    try await stage.answer("local", [9])

    for _ in 0..<3 {
      try await stage.clock.sleeps(of: .seconds(10)).next().answer(())
    }

    await until { !stage.search.isAsking }
    expect(stage.search.sources[0].state, .answered(.exactly(1)))
    expect(stage.search.sources[1].state, .failed(.unreachable(.timedOut)))
  }

  @Test func `one list has the newest first, and names who is silent below`() async throws {
    let stage = try Stage()
    try await stage.answer("local", [5, 1])
    try await stage.answer("server-a", [4])

    stage.search.toggleMerged()

    expect(stage.search.sections.last?.heading, 2)
    expect(stage.search.list.rowCount, 4)
  }

  @Test func `a find opens in its market, and the way back leads through the search to the start`()
    async throws
  {
    let stage = try Stage()
    try await stage.answer("server-a", [4, 3])

    stage.search.chooseSelected(stage.search.open)
    let shown = stage.markets.current
    expect(shown.marketName, "a")
    #expect(shown.stack.top === shown.browser.detail)
    expect(shown.browser.detail.product?.id.rawValue, 4)
    let repository = try #require(stage.fake.repositories[shown.market])
    try await repository.pages.next().answer(.sample([9, 8]))
    await until { shown.browser.feed.phase == .ended }
    expect(shown.browser.detail.product?.id.rawValue, 4)
    shown.stack.close(shown.browser.detail)
    #expect(shown.stack.top === stage.search)
    stage.search.close()

    #expect(stage.markets.current === stage.local)
    #expect(!shown.stack.isCovered)
    #expect(!stage.local.stack.isCovered)
  }

  @Test func `a find of the market that is shown opens over the search`() async throws {
    let stage = try Stage()
    try await stage.answer("local", [4])

    stage.search.chooseSelected(stage.search.open)

    #expect(stage.local.stack.top === stage.local.browser.detail)
    #expect(stage.local.stack.contains(stage.search))
  }
}
