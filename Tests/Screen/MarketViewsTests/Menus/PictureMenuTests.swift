import Expectations
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import TerminalKit
import TestSupport
import Testing

struct PictureMenuTests {
  @Test func `the ways to show pictures are offered, and what is chosen is taken`() async throws {
    let stage = Stage(.grid)
    try await stage.show(Product.samples([2, 1]))

    stage.press("P", .down, .down)
    let menu = stage.lines(80, 24, .english).joined(separator: "\n")
    stage.press(.enter)
    await stage.settle()

    #expect(menu.contains("1 ● Automatic"))
    #expect(menu.contains("▌ 3 ○ sixel"))
    expect(stage.navigator.program.pictureMode, .sixel)
    #expect(stage.top === stage.browser)
  }

  @Test func `a way is chosen by its number`() async throws {
    let stage = Stage(.grid)
    try await stage.show(Product.samples([2, 1]))

    stage.press("P", "6")
    await stage.settle()

    expect(stage.navigator.program.pictureMode, .none)
    #expect(stage.top === stage.browser)
  }

  @Test(arguments: [40, 80, 240])
  func `the way in force and its reason stand below, whole, however long they are`(
    width: Int
  ) async throws {
    let stage = Stage(.grid)
    try await stage.show(Product.samples([2, 1]))
    stage.press("P")
    var context = RenderContext(
      theme: Theme(.dark, strikesThrough: true), strings: Strings(.english), pictures: .none,
      now: Stage.now)
    context.pictureChoice = .automatic(
      TerminalFacts(
        environment: TerminalEnvironment(name: "screen", isInsideScreen: true),
        colorDepth: .palette256, isUTF8: true))

    let lines = Window(
      navigator: stage.navigator, size: CellSize(columns: width, rows: 24), context: context
    ).draw().lines

    let words = lines.flatMap { $0.split { " │".contains($0) } }.joined(separator: " ")
    #expect(words.contains("Now: Quadrants (screen hides what the terminal can do)"))
  }

  @Test func `who leaves the menu leaves pictures as they are`() async throws {
    let stage = Stage(.grid)
    try await stage.show(Product.samples([2, 1]))

    stage.press("P", .down, .escape)

    expect(stage.navigator.program.pictureMode, .auto)
    #expect(stage.top === stage.browser)
  }
}
