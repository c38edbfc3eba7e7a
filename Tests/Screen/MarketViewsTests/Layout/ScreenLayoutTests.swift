import MarketViewModels
import MarketViews
import TerminalKit
import Testing

@Suite struct ScreenLayoutTests {
  private nonisolated static let arrangements: [BrowserModel.Arrangement] = [.grid, .list]

  private func forEverySize(_ body: (CellSize) -> Void) {
    for columns in 1...260 {
      for rows in 1...80 { body(CellSize(columns: columns, rows: rows)) }
    }
  }

  @Test(arguments: arrangements)
  func `a window is too small under 20 columns or 6 rows`(
    arrangement: BrowserModel.Arrangement
  ) {
    forEverySize { size in
      let isTooSmall = ScreenLayout(size: size, arrangement: arrangement) == nil
      #expect(isTooSmall == (size.columns < 20 || size.rows < 6))
    }
  }

  @Test(arguments: arrangements)
  func `nothing lies outside the window, and nothing overlaps`(
    arrangement: BrowserModel.Arrangement
  ) {
    forEverySize { size in
      guard let layout = ScreenLayout(size: size, arrangement: arrangement) else { return }
      let products =
        switch layout.products {
        case .grid(let grid): grid.bounds
        case .list(let rect): rect
        }
      let parts =
        [layout.topBar, layout.bottomBar, products] + (layout.sideDetail.map { [$0] } ?? [])
      let area = parts.map { $0.columns * $0.rows }.reduce(0, +)
      #expect(parts.allSatisfy { $0.intersection(CellRect(size: size)) == $0 })
      #expect(area == size.count)
      #expect(layout.viewport.columns >= 1 && layout.viewport.rows >= 1)
    }
  }

  @Test(arguments: [true, false])
  func `cards stand within the width, apart from each other, and are found by their cells`(
    showsPictures: Bool
  ) {
    forEverySize { size in
      let bounds = CellRect(column: 0, row: 1, columns: size.columns, rows: size.rows)
      let grid = CardGrid(bounds, showsPictures: showsPictures)
      guard size.columns >= 20, size.rows >= 4 else { return }
      for column in 0..<grid.columns {
        let card = grid.cardRect(row: 0, column: column)
        #expect(card.minColumn >= 1 && card.maxColumn <= size.columns - 1)
        #expect(grid.place(at: card.origin)?.column == column)
        if column > 0 {
          #expect(card.minColumn >= grid.cardRect(row: 0, column: column - 1).maxColumn + 2)
        }
      }
    }
  }

  @Test func `the detail stands beside the list from 120 columns on`() {
    let narrow = ScreenLayout(size: CellSize(columns: 119, rows: 30), arrangement: .list)
    let wide = ScreenLayout(size: CellSize(columns: 120, rows: 30), arrangement: .list)

    #expect(narrow?.sideDetail == nil)
    #expect(wide?.sideDetail?.columns == 54)
  }
}
