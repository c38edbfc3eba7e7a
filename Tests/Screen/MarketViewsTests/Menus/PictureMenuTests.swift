import MarketModel
import MarketStrings
import MarketViewModels
import TerminalKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct PictureMenuTests {
  @Test func `the ways to show pictures are offered, and what is chosen is taken`() async {
    let stage = Stage(.grid)
    await stage.show(Product.samples([2, 1]))

    stage.press("P", .down, .down)
    let menu = stage.lines(80, 24, .english).joined(separator: "\n")
    stage.press(.enter)

    #expect(menu.contains("● Automatic"))
    #expect(menu.contains("▌ ○ sixel"))
    #expect(stage.navigator.pictureMode == .sixel)
  }

  @Test func `who leaves the menu leaves pictures as they are`() async {
    let stage = Stage(.grid)
    await stage.show(Product.samples([2, 1]))

    stage.press("P", .down, .escape)

    #expect(stage.navigator.pictureMode == .auto)
    #expect(stage.top === stage.browser)
  }
}
