import Expectations
import MarketViewModels
import Testing

struct ViewportTests {
  private func viewport(columns: Int, rows: Int, count: Int, selected: Int = 0) -> Viewport {
    var viewport = Viewport()
    viewport.reshape(columns: columns, visibleRows: rows)
    viewport.reset(count: count)
    viewport.select(selected)
    return viewport
  }

  @Test func `down moves by a row of cards and scrolls only when it must`() {
    var viewport = viewport(columns: 3, rows: 2, count: 20)

    viewport.move(.down)
    #expect((viewport.selected, viewport.topRow) == (3, 0))
    viewport.move(.down)

    #expect((viewport.selected, viewport.topRow) == (6, 1))
  }

  @Test func `where scrolling costs much a step beyond the edge scrolls by a leap`() {
    var viewport = viewport(columns: 1, rows: 10, count: 40, selected: 9)
    viewport.reshape(columns: 1, visibleRows: 10, scrollStep: 7)

    viewport.move(.down)
    #expect((viewport.selected, viewport.topRow) == (10, 7))
    for _ in 0..<4 { viewport.move(.up) }

    #expect((viewport.selected, viewport.topRow) == (6, 0))
  }

  @Test(arguments: [1, 3, 10, 99])
  func `a leap leaves neither the list nor the selection`(scrollStep: Int) {
    var viewport = viewport(columns: 1, rows: 10, count: 25)
    viewport.reshape(columns: 1, visibleRows: 10, scrollStep: scrollStep)

    for _ in 0..<30 {
      viewport.move(.down)
      #expect(viewport.visible.contains(viewport.selected) && viewport.visible.count == 10)
    }
    for _ in 0..<30 {
      viewport.move(.up)
      #expect(viewport.visible.contains(viewport.selected) && viewport.visible.count == 10)
    }

    #expect((viewport.selected, viewport.topRow) == (0, 0))
  }

  @Test func `down reaches a short last row at its end`() {
    var viewport = viewport(columns: 3, rows: 2, count: 5, selected: 2)

    viewport.move(.down)

    expect(viewport.selected, 4)
  }

  @Test(arguments: [Viewport.Move.up, .left, .pageUp, .halfPageUp, .first])
  func `nothing moves before the first product`(move: Viewport.Move) {
    var viewport = viewport(columns: 2, rows: 3, count: 9)

    viewport.move(move)

    #expect((viewport.selected, viewport.topRow) == (0, 0))
  }

  @Test func `a page down keeps the selected row's place on the screen`() {
    var viewport = viewport(columns: 1, rows: 10, count: 100, selected: 3)

    viewport.move(.pageDown)

    #expect((viewport.selected, viewport.topRow) == (13, 10))
  }

  @Test func `the last page is never half empty`() {
    var viewport = viewport(columns: 1, rows: 10, count: 25)

    viewport.move(.last)

    #expect((viewport.selected, viewport.topRow) == (24, 15))
  }

  @Test func `rows that come above leave the selected product where it is on the screen`() {
    var viewport = viewport(columns: 1, rows: 10, count: 50, selected: 20)
    let position = viewport.selected - viewport.topRow

    viewport.didChange(count: 53, selected: 23)

    expect(viewport.selected - viewport.topRow, position)
  }

  @Test func `a switch from grid to list keeps the selected product in sight`() {
    var viewport = viewport(columns: 4, rows: 2, count: 100, selected: 61)

    viewport.reshape(columns: 1, visibleRows: 30)

    expect(viewport.selected, 61)
    #expect(viewport.visible.contains(61))
  }

  @Test func `scrolling keeps the selection in sight and in its column`() {
    var viewport = viewport(columns: 3, rows: 2, count: 30, selected: 1)

    viewport.scroll(by: 2)

    #expect((viewport.topRow, viewport.selected) == (2, 7))
  }

  @Test func `an empty list selects nothing and shows nothing`() {
    var viewport = viewport(columns: 3, rows: 2, count: 0)

    for move in [Viewport.Move.down, .last, .pageDown, .right] { viewport.move(move) }

    #expect(viewport.visible.isEmpty)
    expect(viewport.selected, 0)
  }
}
