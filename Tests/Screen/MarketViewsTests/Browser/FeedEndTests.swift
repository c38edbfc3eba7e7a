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

struct FeedEndTests {
  private let more = PagePosition.after(PageCursor(rawValue: "1"))

  @Test func `before the first page there are rows in its shape`() {
    let stage = Stage(.list)
    stage.browser.start()

    let lines = stage.lines(40, 8)

    #expect(lines[1...6].allSatisfy { $0.hasPrefix("  ╌╌╌") })
  }

  @Test func `before the first page there are cards in its shape`() {
    let stage = Stage(.grid)
    stage.browser.start()

    let canvas = stage.screen(56, 16).draw()

    #expect(canvas.lines[10].hasPrefix(" " + String(repeating: "╌", count: 18) + " "))
    #expect(canvas.lines[11].hasPrefix(" " + String(repeating: "╌", count: 10) + " "))
    #expect(!canvas[CellPoint(column: 5, row: 5)].style.background.isTerminalDefault)
  }

  @Test func `cards that are coming go on where those that are there end`() async throws {
    let stage = Stage(.grid)
    try await stage.show(Product.samples([3]), next: more)
    _ = stage.lines(56, 16)

    let line = stage.lines(56, 16)[10]

    #expect(line.hasPrefix("┃Product 3"))
    #expect(line.hasSuffix("2 " + String(repeating: "╌", count: 16)))
  }

  @Test(arguments: [4, 5, 6, 7, 12, 30])
  func `the end of a list is marked, however many rows there are`(count: Int64) async throws {
    let stage = Stage(.list)
    try await stage.show(Product.samples((1...count).reversed()))
    _ = stage.lines(40, 8)
    stage.browser.list.move(.last)

    let lines = stage.lines(40, 8)

    #expect(lines.contains("           마지막 상품입니다"))
    #expect(lines.contains { $0.hasPrefix("▌ Product 1") })
  }

  @Test(arguments: 20...60)
  func `the end of a grid is marked in a window of any height`(rows: Int) async throws {
    let stage = Stage(.grid)
    try await stage.show(Product.samples((1...30).reversed()))
    _ = stage.lines(80, rows)
    stage.browser.list.move(.last)

    #expect(stage.lines(80, rows).contains { $0.contains("마지막 상품입니다") })
  }

  @Test(arguments: [BrowserModel.Arrangement.grid, .list], [80, 160])
  func `the end is marked where one goes to it at once`(
    arrangement: BrowserModel.Arrangement, width: Int
  ) async throws {
    let stage = Stage(arrangement)
    stage.browser.start()
    try await stage.repository.pages.next().answer(
      ProductPage(
        products: Product.samples((981...1_000).reversed()), total: .exactly(1_000), next: more))
    await until { !stage.browser.feed.isStale && stage.browser.capabilities != nil }
    _ = stage.lines(width, 24)
    stage.browser.list.move(.last)
    _ = stage.lines(width, 24)
    let early = stage.lines(width, 24)
    var call = try await stage.repository.pages.next()
    while call.request.position != .number(50) { call = try await stage.repository.pages.next() }
    call.answer(
      ProductPage(
        products: Product.samples((1...20).reversed()), total: .exactly(1_000), next: nil))
    await until { stage.browser.feed.hasReadEnd }

    #expect(!early.contains { $0.contains("마지막 상품입니다") })
    #expect(stage.lines(width, 24).contains { $0.contains("마지막 상품입니다") })
  }

  @Test(arguments: everyWidth, Language.allCases)
  func `a page that failed says why and which key retries`(
    width: Int, language: Language
  ) async throws {
    let stage = Stage(.list)
    try await stage.show(Product.samples((1...9).reversed()), next: more)
    _ = stage.lines(width, 8)
    try await stage.repository.pages.next().fail(.unreachable(.refused))
    await until { stage.browser.feed.phase != .loading }
    stage.browser.list.move(.last)

    let last = stage.lines(width, 8, language)[6]

    #expect(last.contains("✗"))
    #expect(last.contains(language == .korean ? "· R 다시 시도" : "· R to retry"))
  }

  /// A stage that shows twenty of sixty products and has gone to the end, where the market does not
  /// answer.
  private func stageWithoutEnd(_ arrangement: BrowserModel.Arrangement) async throws -> Stage {
    let stage = Stage(arrangement)
    stage.browser.start()
    try await stage.repository.pages.next().answer(
      ProductPage(products: Product.samples((41...60).reversed()), total: .exactly(60), next: more))
    await until { !stage.browser.feed.isStale && stage.browser.capabilities != nil }
    _ = stage.lines(100, 30)
    stage.browser.list.move(.last)
    await until { stage.browser.selected == nil }
    try await poll {
      if stage.repository.pages.untakenCount > 0 {
        try await stage.repository.pages.next().fail(.unreachable(.refused))
      }
      return stage.browser.selected != nil
    }
    return stage
  }

  @Test(arguments: [BrowserModel.Arrangement.grid, .list])
  func `what is missing keeps its place and number below the last product`(
    arrangement: BrowserModel.Arrangement
  ) async throws {
    let stage = try await stageWithoutEnd(arrangement)

    let screen = stage.lines(100, 30, .english).joined(separator: "\n")

    expect(stage.browser.viewport.selected, 19)
    #expect(screen.contains("Product 41"))
    #expect(screen.contains("✗ 21–60 not loaded"))
    #expect(screen.contains("R to retry"))
    #expect(screen.contains("22 ╌╌"))
  }

  @Test func `rows that could not be read are counted at the end`() async throws {
    let stage = Stage(.list)
    stage.browser.start()
    try await stage.repository.pages.next().answer(
      ProductPage(
        products: Product.samples([2, 1]), total: .exactly(4), next: nil, unreadableRows: 2))
    await until { stage.browser.feed.phase == .ended }

    #expect(stage.lines(50, 8).contains { $0.contains("읽을 수 없는 상품 2개") })
  }
}
