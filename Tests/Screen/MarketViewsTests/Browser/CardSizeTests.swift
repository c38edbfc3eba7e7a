import Expectations
import MarketModel
import MarketViewModels
import MarketViews
import TerminalKit
import TestSupport
import Testing

struct CardSizeTests {
  private func columns(_ stage: Stage) -> Int {
    _ = stage.lines(120, 40)
    return stage.browser.viewport.columns
  }

  private func press(_ stage: Stage, _ keys: KeyPress...) {
    for key in keys { stage.press(key, columns: 120, rows: 40) }
  }

  @Test func `plus and minus change the size of cards, and the selection stays`() async throws {
    let stage = Stage(.grid)
    try await stage.show(Product.samples((1...60).reversed()))
    stage.browser.list.select(17)
    expect(columns(stage), 4)

    press(stage, "+")
    expect(columns(stage), 3)
    press(stage, "-", "-")
    expect(columns(stage), 5)
    press(stage, "=")

    expect(columns(stage), 4)
    expect(stage.browser.viewport.selected, 17)
    #expect(stage.browser.viewport.visible.contains(17))
  }

  @Test func `cards have a smallest and a largest size`() async throws {
    let stage = Stage(.grid)
    try await stage.show(Product.samples((1...60).reversed()))

    for _ in 0..<20 { press(stage, "-") }
    expect(columns(stage), 6)
    for _ in 0..<20 { press(stage, "+") }

    expect(columns(stage), 2)
  }

  @Test func `the list has no cards to resize, and a list that was chosen is chosen again`()
    async throws
  {
    let stage = Stage(.grid)
    try await stage.show(Product.samples((1...60).reversed()))

    press(stage, "v", "+")

    expect(stage.browser.viewStates.viewState.cardColumns, nil)
    expect(stage.browser.viewStates.viewState.arrangement, .list)
  }
}
