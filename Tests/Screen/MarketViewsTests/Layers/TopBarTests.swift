import Expectations
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import SafeTextKit
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

struct TopBarTests {
  /// A screen with a title of its own, a market's name before it and a number behind it.
  private final class Titled: Layer, ViewedLayer {
    func view(in frame: Frame) -> TitledView { TitledView(model: self, frame: frame) }
  }

  private struct TitledView: LayerView {
    let model: Titled
    let frame: Frame

    static let bindings = BindingTable<TitledView>(
      [
        Binding("back", [.escape], .keyBack, footer: 1) { $0.navigator.stack.close($0.model) }
      ])

    var coversBody: Bool { true }
    var title: WindowTitle? {
      WindowTitle("로드 자전거 21단, 출퇴근용", trail: true, place: "3 / 66", number: "#7")
    }

    func draw(on canvas: inout Canvas) {}
  }

  private func filteredStage() async throws -> Stage {
    let stage = Stage(sells: true)
    try await stage.signIn()
    try await stage.show(Product.samples([2, 1]))
    try await show(
      ProductQuery(text: "램프", filters: [.reduced], sellers: [Seller.ID(rawValue: 7)]), on: stage)
    return stage
  }

  private func show(_ query: ProductQuery, on stage: Stage) async throws {
    stage.browser.show(query)
    try await stage.answerOwn(.sample([2]))
    await until { !stage.browser.feed.isStale }
  }

  @Test func `where there is little room whole parts are left out, the usual ones first`()
    async throws
  {
    let stage = Stage()
    try await stage.show(Product.samples([2, 1]))

    expect(stage.lines(40, 10)[0], " OpenMarket  로컬 마켓 · 2개   최신순 ▾")
    expect(stage.lines(40, 10, .english)[0], " OpenMarket  Local market · 2 products")
    expect(stage.lines(30, 10, .english)[0], " OpenMarket  Local market")
    expect(stage.lines(20, 10, .english)[0], " OpenMarket  Local…")
  }

  @Test func `what is searched for stays, cut where it is long`() async throws {
    let stage = Stage()
    try await stage.show(Product.samples([2, 1]))
    stage.press("/")
    for _ in 0..<30 { stage.press("m") }
    stage.press(.enter)
    try await stage.repository.pages.next().answer(.sample([2]))
    await until { !stage.browser.feed.isStale }

    #expect(stage.lines(40, 10)[0].hasSuffix("  “mmmmmmmmm…” ×"))
  }

  @Test func `filters, search and seller stand before the order`() async throws {
    let stage = try await filteredStage()

    #expect(stage.lines(100, 10)[0].hasSuffix("   “램프” ×   할인 중 ×   내 상품 ×   최신순 ▾"))
    for width in everyWidth {
      let bar = stage.lines(width, 10)[0]
      #expect(bar.hasPrefix(" OpenMarket  ") && SafeText(bar).columns <= width - 1)
    }
  }

  @Test(arguments: [
    ("할인 중", ProductQuery(text: "램프", sellers: [Seller.ID(rawValue: 7)])),
    ("내 상품", ProductQuery(text: "램프", filters: [.reduced])),
    ("× ", ProductQuery(filters: [.reduced], sellers: [Seller.ID(rawValue: 7)])),
    ("×   내", ProductQuery(text: "램프", sellers: [Seller.ID(rawValue: 7)])),
  ])
  func `a click takes a filter away`(text: String, rest: ProductQuery) async throws {
    let stage = try await filteredStage()

    stage.click(stage.lines(100, 10)[0].columns(before: text), 0, columns: 100)

    expect(stage.browser.feed.query, rest)
  }

  @Test func `each part of a query has a chip, in the words of the search line`() async throws {
    let stage = Stage()
    try await stage.show([
      .sample(id: 2, seller: Seller(id: Seller.ID(rawValue: 9), name: "Lee Ann"))
    ])
    var query = ProductQuery(
      text: "lamp", phrases: ["a b"], without: ["x"], price: PriceRange(maximum: 20_000_000),
      currency: .krw, order: .newest, filters: [.inStock], sellers: [Seller.ID(rawValue: 9)])
    query.since = SearchAge(7, .day)?.start(now: Stage.now)
    stage.browser.show(query)
    try await stage.repository.pages.next().answer(
      ProductPage(
        products: [.sample(id: 2, seller: Seller(id: Seller.ID(rawValue: 9), name: "Lee Ann"))],
        total: .exactly(1), next: nil))
    await until { !stage.browser.feed.isStale }

    let bar = stage.lines(160, 10, .english)[0]

    #expect(
      bar.contains(
        #"“lamp” ×   "a b" ×   -x ×   <200000 ×   krw ×   in stock ×   @"Lee Ann" ×   new:7d ×"#))
    stage.click(bar.columns(before: "<200000"), 0, columns: 160)
    query.price = .any
    expect(stage.browser.feed.query, query)
  }

  @Test func `Backspace takes the chips away one by one, the last one first`() async throws {
    let stage = try await filteredStage()

    stage.press(.backspace)
    expect(stage.browser.feed.query, ProductQuery(text: "램프", filters: [.reduced]))
    stage.press(.backspace, .backspace, .backspace)

    expect(stage.browser.feed.query, ProductQuery())
  }

  @Test func `the order opens its menu, the search text the search, the program's name the help`()
    async throws
  {
    let stage = try await filteredStage()
    let bar = stage.lines(100, 10)[0]

    stage.click(bar.columns(before: "최신순"), 0, columns: 100)
    #expect(stage.top is MenuModel)
    stage.click(bar.columns(before: "최신순"), 0, columns: 100)
    await stage.settle()
    #expect(stage.top === stage.browser)
    stage.click(bar.columns(before: "램프"), 0, columns: 100)
    #expect(stage.top is SearchModel)
    stage.press(.escape)
    stage.click(2, 0, columns: 100)
    #expect(stage.top is HelpModel)
  }

  @Test func `other buttons and what is no button do nothing`() async throws {
    let stage = try await filteredStage()
    let (bar, query) = (stage.lines(100, 10)[0], stage.browser.feed.query)

    stage.click(bar.columns(before: "할인 중"), 0, by: .right, columns: 100)
    stage.click(bar.columns(before: "할인 중") - 1, 0, columns: 100)
    stage.click(bar.columns(before: "로컬"), 0, columns: 100)

    #expect(stage.top === stage.browser && stage.browser.feed.query == query)
  }

  @Test func `a market that can do neither has no menu to open`() async throws {
    var capabilities = RepositoryCapabilities.full
    (capabilities.orders, capabilities.parts) = ([.newest], [])
    let stage = Stage(repository: GatedProductRepository(capabilities: capabilities))
    try await stage.show(Product.samples([2, 1]))

    #expect(stage.lines(60, 10)[0].hasSuffix("  최신순"))
  }

  @Test func `drafts are counted beside one's own products`() async throws {
    let stage = try await Screen.shelf.stage()

    #expect(stage.lines(100, 10, .english)[0].contains(" · 1 draft "))
    #expect(stage.lines(100, 24, .english)[23].contains("  m All sellers  "))
    #expect(stage.lines(100, 24, .english)[23].contains("  Esc Show all  "))
  }

  @Test func `a title has the way to it before it, and place and number at the right`() async throws
  {
    let stage = Stage()
    try await stage.show(Product.samples([2, 1]))
    stage.navigator.stack.push(Titled())
    let name = "로드 자전거 21단, 출퇴근용"

    let wide = stage.lines(110, 24)[0]
    #expect(wide.hasPrefix(" OpenMarket  로컬 마켓 › " + name + "  "))
    #expect(wide.hasSuffix("  3 / 66    #7") && SafeText(wide).columns == 109)
    expect(stage.lines(80, 24)[0], " OpenMarket  " + name + spaces(33) + "3/66 #7")
    expect(stage.lines(40, 24)[0], " OpenMarket  로드 자전거 21단…  3/66 #7")
    expect(stage.lines(20, 24)[0], " OpenMarket  로드 …")
  }

  @Test func `the market's name in the way to a title leads back`() async throws {
    let stage = Stage()
    try await stage.show(Product.samples([2, 1]))
    stage.navigator.stack.push(Titled())

    stage.click(14, 0, columns: 120)

    #expect(stage.top === stage.browser)
  }

  private func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
}
