import EditorKit
import Expectations
import MarketModel
import MarketViewModels
import PersonalStore
import SellingTestSupport
import TestSupport
import Testing

struct PersonalListModelTests {
  private struct Scene {
    static let now = Timestamp(seconds: 1_700_000_000)
    let wall = WallClock()
    let store: PersonalFile
    let local: Navigator
    let markets: Markets
    let fake: FakeMarkets
    let repository = GatedProductRepository()

    init() {
      let clock = ManualClock()
      store = PersonalFile.inMemory(at: wall)
      local = Navigator(
        browser: BrowserModel(
          repository: repository, arrangement: .list, pageSize: 4, clock: clock),
        gallery: PictureGallery(loader: NoPictures()), marketName: nil, clock: clock,
        now: { Self.now })
      markets = Markets(local)
      fake = FakeMarkets(["a"], behind: markets, clock: clock)
      local.program.personal = store
    }

    /// Has a product opened so many hours ago.
    func viewed(_ id: Int64, hoursAgo hours: Int64, in market: FavoriteMarket? = nil) async {
      wall.set(to: Self.now.seconds - hours * 3_600)
      let here = FavoriteMarket(key: .local, name: nil, location: nil)
      await store.didView(.sample(id: id), of: market ?? here)
    }

    func open() async throws -> PersonalListModel {
      local.openPersonalList(.viewed)
      let model = try #require(local.stack.top as? PersonalListModel)
      model.list.didLayOut(rows: 20)
      await until { model.list.isRead }
      return model
    }
  }

  private func number(of line: PersonalLine) -> Int64? {
    if case .viewed(let product) = line { product.product.rawValue } else { nil }
  }

  private func numbers(of sections: [PersonalListModel.Section]) -> [Int64] {
    sections.flatMap(\.items).compactMap(number)
  }

  @Test func `Tab leads through the tabs, each with its own selection and filter`() async throws {
    let scene = Scene()
    for id: Int64 in 1...3 { await scene.viewed(id, hoursAgo: 0) }
    _ = await scene.store.save(SavedSearch(name: "lamps", text: "lamp"))
    let model = try await scene.open()
    await until { model.tabs.allSatisfy { model.count(of: $0) != nil } }
    model.move(.last)
    model.list.edit { $0 = LineEditor("x") }

    model.showNextTab()
    expect(model.tab, .favorites)
    model.showNextTab()
    expect(model.tab, .searches)
    #expect(model.list.words.isEmpty && model.list.selected?.id == .search("lamps"))
    scene.local.openPersonalList(.viewed)

    expect(model.list.selected.flatMap(number), 1)
    expect(model.list.words, "x")
    expect(model.tabs.map { model.count(of: $0) }, [0, 1, 3])
    model.showNextTab(by: -1)
    expect(model.tab, .searches)
    #expect(scene.local.stack.top === model)
  }

  @Test func `of a hundred thousand favorites those on the screen and around it are read`()
    async throws
  {
    let scene = Scene()
    await scene.store.fillFavorites(100_000)

    scene.local.openPersonalList(.favorites)
    let model = try #require(scene.local.stack.top as? PersonalListModel)
    model.list.didLayOut(rows: 20)
    model.fill()
    await until { model.selected != nil }
    let lines = model.sections.flatMap(\.items)
    let opened = lines.count(where: model.isRead)
    model.move(.last)
    await until { model.selected != nil }

    expect(model.count(of: .favorites), 100_000)
    #expect((20...140).contains(opened))
    #expect(lines.count(where: model.isRead) <= 280)
    expect(MemoryLayout<PersonalLine>.stride, 16)
  }

  @Test func `products stand under the days of then, the latest first`() async throws {
    let scene = Scene()
    for (id, hours): (Int64, Int64) in [(1, 24 * 40), (2, 48), (3, 24), (4, 0), (5, 0)] {
      await scene.viewed(id, hoursAgo: hours)
    }

    let model = try await scene.open()

    expect(model.sections.map(\.heading), [.today, .yesterday, .earlier])
    expect(model.sections.map { numbers(of: [$0]) }, [[5, 4], [3], [2, 1]])
    expect(model.list.selected.flatMap(number), 5)
  }

  @Test func `one that is removed is gone from the store too`() async throws {
    let scene = Scene()
    for id: Int64 in 1...2 { await scene.viewed(id, hoursAgo: 0) }
    let model = try await scene.open()

    model.removeSelected()

    expect(numbers(of: model.sections), [1])
    await poll { await scene.store.viewedProducts().map(\.product.rawValue) == [1] }
  }

  @Test func `a product opens in its market, and the way back leads through the list to the start`()
    async throws
  {
    let scene = Scene()
    let key = FakeMarkets.server("a").key
    await scene.viewed(
      4, hoursAgo: 0, in: FavoriteMarket(key: key, name: "a", location: "http://a/"))
    let model = try await scene.open()

    model.open(try #require(model.list.selected))
    await until { scene.markets.current !== scene.local }
    let shown = scene.markets.current
    let repository = try #require(scene.fake.repositories[key])
    try await repository.details.next().answer(.sample(of: .sample(id: 4)))
    await until { shown.stack.top === shown.browser.detail }

    expect(shown.browser.detail.product?.id.rawValue, 4)
    shown.stack.close(shown.browser.detail)
    #expect(shown.stack.top === model)
    model.leave()
    #expect(scene.markets.current === scene.local)
    #expect(!shown.stack.isCovered && !scene.local.stack.isCovered)
  }

  @Test func `a market of which nobody knows where it is says so`() async throws {
    let scene = Scene()
    await scene.viewed(
      4, hoursAgo: 0,
      in: FavoriteMarket(key: MarketKey(rawValue: "http://gone/"), name: "gone", location: nil))
    let model = try await scene.open()

    model.open(try #require(model.list.selected))

    expect(scene.local.notice, .hint(.noSuchMarket))
    #expect(scene.local.stack.top === model)
  }
}
