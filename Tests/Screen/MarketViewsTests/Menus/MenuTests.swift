import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import SafeTextKit
import TerminalKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct MenuTests {
  private func stage() async -> Stage {
    let stage = Stage()
    await stage.show(Product.samples([2, 1]))
    return stage
  }

  @Test func `the menu drops from the words that it changes, with a number before each choice`()
    async
  {
    let stage = await stage()
    stage.press("o")

    let lines = stage.lines(40, 14)

    #expect(
      lines[1...11].map { $0.drop { $0 != "│" && $0 != "╭" && $0 != "╰" } } == [
        "╭───────────────────╮",
        "│  정렬             │",
        "│ ▌ 1 ● 최신순      │",
        "│   2 ○ 낮은 가격순 │",
        "│   3 ○ 높은 가격순 │",
        "│   4 ○ 할인율순    │",
        "│                   │",
        "│  필터             │",
        "│   5 □ 재고 있음   │",
        "│   6 □ 할인 중     │",
        "╰───────────────────╯",
      ])
    #expect(lines[0].hasSuffix("  최신순 ▾"))
    #expect(lines[0...11].allSatisfy { SafeText($0).columns == 39 })
  }

  @Test func `a number chooses at once: an order leaves the menu, a filter stays in it`() async {
    let stage = await stage()

    stage.press("o", "6")
    await stage.settle()
    #expect(stage.browser.feed.query.filters == [.reduced] && stage.top is MenuModel)
    stage.press("5", "6")
    await until { stage.browser.feed.query.filters == [.inStock] }
    stage.press("2")

    await until { stage.browser.feed.query.order == .cheapest }
    await stage.settle()
    #expect(stage.top === stage.browser)
  }

  @Test func `a number that no choice has does nothing`() async {
    let stage = await stage()

    stage.press("o", "7", "0", "9")

    #expect(stage.top is MenuModel && stage.browser.feed.query == ProductQuery())
  }

  @Test func `the footer says what choosing does`() async {
    let stage = await stage()

    stage.press("o")
    let order = stage.lines(80, 24, .english)[23]
    stage.press(.end)
    let filter = stage.lines(80, 24, .english)[23]

    #expect(order == " ↵ Choose  1-9 By number  Esc Back  / Search")
    #expect(filter == " ↵ On/off  1-9 By number  Esc Back  / Search")
  }

  @Test func `a click chooses, one beside the menu leaves it`() async {
    let stage = await stage()
    stage.press("o")
    let row = stage.lines(80, 24).firstIndex { $0.contains("높은 가격순") } ?? 0

    stage.click(70, row)
    await stage.settle()
    #expect(stage.browser.feed.query.order == .priceDescending)
    stage.press("o")
    stage.click(2, 20)

    #expect(stage.top === stage.browser)
  }

  @Test(arguments: everyWidth, [6, 8, 24])
  func `the selected choice is in sight however small the window is`(width: Int, rows: Int) async {
    let stage = await stage()
    stage.press("o", .end)

    let lines = stage.lines(width, rows)

    #expect(lines.contains { $0.contains("▌ 6 □") })
    #expect(lines.allSatisfy { SafeText($0).columns <= width })
  }

  @Test func `orders that a market lacks stand without a mark, with the reason below them`() async {
    var capabilities = RepositoryCapabilities.full
    (capabilities.orders, capabilities.parts) = ([.newest], [])
    capabilities.scannable = [.inStock, .reduced]
    let stage = Stage(repository: GatedProductRepository(capabilities: capabilities))
    await stage.show(Product.samples([2, 1]))

    stage.press("o")
    let lines = stage.lines(80, 24, .english)

    #expect(
      lines[1...15].map { $0.drop { $0 != "│" && $0 != "╭" && $0 != "╰" } } == [
        "╭─────────────────────────────────╮",
        "│  Sort                           │",
        "│ ▌ 1 ● Newest                    │",
        "│   2   Lowest price              │",
        "│   3   Highest price             │",
        "│   4   Biggest discount          │",
        "│                                 │",
        "│  Filter                         │",
        "│   5 □ In stock                  │",
        "│   6 □ On sale                   │",
        "│                                 │",
        "│  This market sorts no other way │",
        "│                                 │",
        "│  Applied here, page by page     │",
        "╰─────────────────────────────────╯",
      ])
  }

  @Test func `an order that a market lacks says so and changes nothing`() async {
    var capabilities = RepositoryCapabilities.full
    capabilities.orders = [.newest]
    let stage = Stage(repository: GatedProductRepository(capabilities: capabilities))
    await stage.show(Product.samples([2, 1]))

    stage.press("o", "2")
    await stage.settle()

    #expect(stage.navigator.notice == .hint(.orderLacking))
    #expect(stage.top is MenuModel && stage.browser.feed.query == ProductQuery())
  }
}
