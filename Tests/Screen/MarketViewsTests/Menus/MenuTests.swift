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

struct MenuTests {
  private func stage() async throws -> Stage {
    let stage = Stage()
    try await stage.show(Product.samples([2, 1]))
    return stage
  }

  @Test func `a number chooses at once: an order leaves the menu, a filter stays in it`()
    async throws
  {
    let stage = try await stage()

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

  @Test func `a number that no choice has does nothing`() async throws {
    let stage = try await stage()

    stage.press("o", "0")

    #expect(stage.top is MenuModel && stage.browser.feed.query == ProductQuery())
  }

  @Test func `the footer says what choosing does`() async throws {
    let stage = try await stage()

    stage.press("o")
    let order = stage.lines(80, 24, .english)[23]
    stage.press(.end)
    let filter = stage.lines(80, 24, .english)[23]

    expect(order, " ↵ Choose  1-9 By number  Esc Back  / Search")
    expect(filter, " ↵ On/off  1-9 By number  Esc Back  / Search")
  }

  @Test func `a click chooses, one beside the menu leaves it`() async throws {
    let stage = try await stage()
    stage.press("o")
    let row = stage.lines(80, 24).firstIndex { $0.contains("높은 가격순") } ?? 0

    stage.click(70, row)
    await stage.settle()
    expect(stage.browser.feed.query.order, .priceDescending)
    stage.press("o")
    stage.click(2, 20)

    #expect(stage.top === stage.browser)
  }

  @Test func `orders that a market lacks stand without a mark, with the reason below them`()
    async throws
  {
    var capabilities = RepositoryCapabilities.full
    (capabilities.orders, capabilities.parts) = ([.newest], [])
    capabilities.scannable = [.inStock, .reduced]
    let stage = Stage(repository: GatedProductRepository(capabilities: capabilities))
    try await stage.show(Product.samples([2, 1]))

    stage.press("o")
    let lines = stage.lines(80, 24, .english)

    #expect(lines.contains { $0.contains("│   2   Lowest price ") })
    #expect(lines.contains { $0.contains("This market sorts no other way") })
    #expect(lines.contains { $0.contains("Applied here, page by page") })
  }
}
