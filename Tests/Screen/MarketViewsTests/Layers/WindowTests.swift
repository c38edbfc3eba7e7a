import EditorKit
import Expectations
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import SafeTextKit
import TerminalKit
import TestSupport
import Testing

struct WindowTests {
  @Test(arguments: Language.allCases)
  func `a window that is too small shows one sentence`(language: Language) {
    let stage = Stage()

    for (columns, rows) in [(1, 1), (19, 24), (80, 5), (12, 3)] {
      let text = stage.lines(columns, rows, language).joined(separator: " ")
      #expect(!text.contains("OpenMarket"))
      if columns >= 12, rows >= 2 {
        #expect(text.hasPrefix(language == .korean ? "창이 작" : "Window"))
      }
    }
  }

  @Test(arguments: everyWidth, Language.allCases)
  func `the bars keep the program's name and whole words of keys`(
    width: Int, language: Language
  ) async throws {
    let stage = Stage()
    try await stage.show(Product.samples([2, 1]))

    let lines = stage.lines(width, 10, language)

    #expect(lines[0].hasPrefix(" OpenMarket"))
    #expect(lines[9].hasPrefix(language == .korean ? " ↵ 열기  " : " ↵ Open  "))
    #expect(lines[9].contains(language == .korean ? "? 도움말" : "? Help"))
    if width >= 40 { #expect(lines[9].contains(language == .korean ? "q 종료" : "q Quit")) }
  }

  @Test func `a notice stays until the next key, and a click on it only takes it away`()
    async throws
  {
    let stage = Stage()
    try await stage.show(Product.samples([2, 1]))
    stage.navigator.announce(.refreshed(newProducts: 2))
    #expect(stage.lines(80, 24)[23].hasPrefix(" 새 상품 2개  "))
    expect(stage.lines(79, 24)[23], " 새 상품 2개")

    stage.click(2, 23)

    #expect(stage.lines(80, 24)[23].hasPrefix(" ↵ 열기"))
    #expect(stage.top === stage.browser)
  }

  @Test func `the search stands on the bar's ground, and a click on it does not leave it`()
    async throws
  {
    let stage = Stage()
    try await stage.show(Product.samples([2, 1]))
    stage.press("/")
    let theme = Theme(.dark, strikesThrough: true)

    stage.click(2, 21)
    let canvas = stage.screen(80, 24).draw()

    #expect(canvas.lines[21].hasPrefix(" 검색   이름, 설명, 판매자"))
    expect(canvas[CellPoint(column: 1, row: 21)].style.background, theme.bar.background)
    expect(canvas.cursor?.isVisible, true)
  }

  @Test func `the menu shows what is in force by marks`() async throws {
    let stage = Stage()
    try await stage.show(Product.samples([2, 1]))

    stage.press("o", "j", " ")
    await stage.settle()
    stage.press("o", .end, "k", "k", "k", "k", " ")
    await stage.settle()
    let text = stage.lines(60, 24).joined(separator: "\n")

    #expect(text.contains("● 낮은 가격순"))
    #expect(text.contains("○ 최신순"))
    #expect(text.contains("▌ 5 ■ 재고 있음"))
    #expect(text.contains("□ 할인 중"))
  }

  @Test func `the help calls a key what it does where one is`() async throws {
    let stage = Stage()
    try await stage.show(Product.samples([2, 1]))

    stage.press("?")
    let list = stage.lines(80, 60).joined(separator: "\n")
    stage.press(.escape, "v", "?")
    let grid = stage.lines(80, 60).joined(separator: "\n")

    #expect(list.contains(/v +격자/) && !list.contains(/v +목록/))
    #expect(grid.contains(/v +목록/))
  }
}
