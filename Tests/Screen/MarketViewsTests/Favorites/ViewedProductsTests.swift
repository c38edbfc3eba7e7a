import Expectations
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import PersonalStore
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

struct ViewedProductsTests {
  private struct Scene {
    let stage = Stage()
    let wall = WallClock(Stage.now.seconds)
    let store: PersonalFile
    let here = FavoriteMarket(key: .local, name: nil, location: nil)
    let shop = FavoriteMarket(
      key: MarketKey(rawValue: "http://shop/"), name: "shop", location: "http://shop/")

    init() async throws {
      store = PersonalFile.inMemory(at: wall)
      stage.navigator.program.personal = store
      try await stage.show([.sample(id: 2, name: "Lamp"), .sample(id: 1, name: "Cup")])
    }

    func viewed(_ product: Product, daysAgo days: Int64, in market: FavoriteMarket? = nil) async {
      wall.set(to: Stage.now.seconds - days * 86_400)
      await store.didView(product, of: market ?? here)
    }

    @discardableResult
    func open() async throws -> PersonalListModel {
      stage.press("H")
      let model = try #require(stage.top as? PersonalListModel)
      await until { model.list.isRead }
      return model
    }

    /// Opens the selected product and waits for its detail.
    func openDetail(_ product: Product) async throws {
      stage.press(.enter)
      try await stage.repository.details.next().answer(.sample(of: product))
      await until { stage.browser.detail.isComplete }
      _ = stage.lines(80, 24)
    }
  }

  @Test func `a row has the name, another market, the price and when it was`() async throws {
    let scene = try await Scene()
    await scene.viewed(.sample(id: 3, name: "Bike", price: 90_000), daysAgo: 9, in: scene.shop)
    await scene.viewed(.sample(id: 2, name: "Lamp", price: 5_000), daysAgo: 1)
    await scene.viewed(.sample(id: 1, name: "C\u{1B}up", price: 9_000), daysAgo: 0)

    let model = try await scene.open()
    await until { model.count(of: .searches) != nil }

    let time = #"\d\d:\d\d"#
    let lines = scene.stage.lines(80, 24, .english)
    #expect(lines[0].contains("Favorites 0 · Saved searches 0 · Recently viewed 3"))
    #expect(lines[1] == " Today" && lines[3] == " Yesterday" && lines[5] == " Earlier")
    #expect(try lines[2].contains(Regex("C.?up .* ₩9,000 · " + time + "$")))
    #expect(try lines[4].contains(Regex("Lamp .* ₩5,000 · " + time + "$")))
    #expect(try lines[6].contains(Regex("Bike .* shop · ₩90,000 · Nov \\d+$")))
    let korean = scene.stage.lines(80, 24, .korean)
    #expect(korean[0].contains("찜 목록 0 · 저장한 검색 0 · 최근 본 상품 3"))
    expect([1, 3, 5].map { korean[$0] }, [" 오늘", " 어제", " 그 전"])
  }

  @Test func `beside the rows stand the price, the market and when it was viewed`() async throws {
    let scene = try await Scene()
    await scene.viewed(.sample(id: 3, name: "Bike", price: 90_000), daysAgo: 9, in: scene.shop)

    try await scene.open()

    let beside = scene.stage.lines(120, 36, .english).map { $0.suffix(46) }
    #expect(beside[1].contains("Bike") && beside[2].contains("₩90,000"))
    #expect(beside[3].contains("shop · viewed Nov"))
  }

  @Test func `beside a product of another market stand its picture and its price of today`()
    async throws
  {
    let scene = try await Scene()
    let markets = Markets(scene.stage.navigator)
    let fake = FakeMarkets(["shop"], behind: markets, clock: scene.stage.clock)
    let shop = FavoriteMarket(
      key: fake.markets[1].key, name: "shop", location: "http://shop/")
    await scene.viewed(.sample(id: 3, name: "Bike", price: 90_000), daysAgo: 9, in: shop)
    let picture = Picture(original: "bike", thumbnail: "bike-small")

    try await scene.open()
    try await fake.finds(of: "server-shop").next().answer(
      ProductPage(
        products: [.sample(id: 3, name: "Bike", price: 80_000, thumbnail: picture)],
        total: .exactly(1), next: nil))
    await until { !scene.stage.screen(120, 36).wants.isEmpty }

    let wanted = try #require(scene.stage.screen(120, 36).wants.first?.picture)
    let parts = try #require(OtherMarketPicture.parts(of: wanted))
    #expect(parts.market == shop.key && parts.picture == picture)
    #expect(scene.stage.lines(120, 36, .english).contains { $0.hasSuffix("₩80,000") })
    expect(fake.asked.map(\.ids), [[Product.ID(rawValue: 3)]])
  }

  @Test(arguments: Language.allCases)
  func `an empty list says in its middle what brings something into it`(language: Language)
    async throws
  {
    let scene = try await Scene()

    try await scene.open()

    let lines = scene.stage.lines(80, 24, language)
    let row = try #require(lines.firstIndex { $0.contains("Enter") })
    #expect((9...13).contains(row) && lines[row].hasPrefix("          "))
  }

  @Test func `a list whose filter finds nothing names the key that clears it`() async throws {
    let scene = try await Scene()
    await scene.viewed(.sample(id: 1, name: "Cup"), daysAgo: 0)
    try await scene.open()

    scene.stage.press("/", "x", "x", .enter)

    let lines = scene.stage.lines(80, 24, .english)
    #expect(lines.contains { $0.trimmingPrefix { $0 == " " } == "Nothing matches “xx”" })
    #expect(lines.contains { $0.trimmingPrefix { $0 == " " }.hasPrefix("Esc ") })
  }

  @Test(arguments: everyWidth) func `rows keep within the window`(columns: Int) async throws {
    let scene = try await Scene()
    await scene.viewed(
      .sample(id: 2, name: "한글 이름이 아주 긴 자전거와 헬멧과 자물쇠 묶음", price: 2_147_483_647),
      daysAgo: 400, in: scene.shop)

    try await scene.open()

    #expect(scene.stage.lines(columns, 12).allSatisfy { $0.columns(before: "\u{0}") <= columns })
  }

  @Test func `a product counts as viewed once it is opened, not beside the list`() async throws {
    let scene = try await Scene()
    _ = scene.stage.lines(160, 45)
    try await scene.stage.repository.details.next().answer(
      .sample(of: .sample(id: 2, name: "Lamp")))
    await until { scene.stage.browser.detail.isComplete }
    _ = scene.stage.lines(160, 45)
    scene.stage.press("j")

    try await scene.openDetail(.sample(id: 1, name: "Cup", price: 9_000))

    await poll { await !scene.store.viewedProducts().isEmpty }
    let viewed = await scene.store.viewedProducts()
    expect(viewed.map(\.name), ["Cup"])
    expect(viewed.map(\.market), [scene.here])
  }

  @Test func `a product that is opened again is noted again, and once in many frames`()
    async throws
  {
    let scene = try await Scene()
    try await scene.openDetail(.sample(id: 2, name: "Lamp"))
    await poll { await !scene.store.viewedProducts().isEmpty }
    let first = await scene.store.viewedProducts()
    scene.wall.advance(60)
    for _ in 1...3 { _ = scene.stage.lines(80, 24) }
    await scene.store.didView(.sample(id: 9), of: scene.here)
    await expect(scene.store.viewedProducts().last, first.first)

    scene.stage.press(.escape)
    try await scene.openDetail(.sample(id: 2, name: "Lamp"))

    await poll { await scene.store.viewedProducts().first?.product.rawValue == 2 }
  }

  @Test func `the list opens from a product and from favorites, and Esc leads back`() async throws {
    let scene = try await Scene()
    try await scene.openDetail(.sample(id: 2, name: "Lamp"))
    await poll { await !scene.store.viewedProducts().isEmpty }

    try await scene.open()
    scene.stage.press(.escape)
    #expect(scene.stage.top === scene.stage.browser.detail)
    scene.stage.press(.escape, "i")
    await until { (scene.stage.top as? PersonalListModel)?.list.isRead == true }
    let model = try await scene.open()
    scene.stage.press(.enter)
    try await scene.stage.repository.details.next().answer(
      .sample(of: .sample(id: 2, name: "Lamp")))
    await until { scene.stage.top === scene.stage.browser.detail }
    scene.stage.press(.escape)
    #expect(scene.stage.top === model)
    expect(model.tab, .viewed)
    scene.stage.press("i")
    expect(model.tab, .favorites)
    scene.stage.press(.escape)

    #expect(scene.stage.top === scene.stage.browser)
  }

  @Test func `words narrow the list, and rows go one by one from what they leave`() async throws {
    let scene = try await Scene()
    for (id, name): (Int64, String) in [(1, "Red cup"), (2, "Lamp"), (3, "Blue cup"), (4, "Cup")] {
      await scene.viewed(.sample(id: id, name: name), daysAgo: 0)
    }
    let model = try await scene.open()

    scene.stage.press("/", "c", "u", "p", .enter)
    scene.stage.press("j", "D", "D")

    expect(
      model.sections.flatMap(\.items).compactMap {
        if case .viewed(let product) = $0 { product.name } else { nil }
      }, ["Cup", "Lamp"])
    await poll { await scene.store.viewedProducts().map(\.name) == ["Cup", "Lamp"] }
  }

  @Test func `without a store of the person there is no such list`() async throws {
    let scene = try await Scene()
    scene.stage.navigator.program.personal = nil

    scene.stage.press("H")

    #expect(scene.stage.top === scene.stage.browser)
  }
}
