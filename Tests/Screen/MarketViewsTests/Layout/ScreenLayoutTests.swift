import Expectations
import MarketViewModels
import MarketViews
import TerminalKit
import Testing

struct ScreenLayoutTests {
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
      expect(isTooSmall, size.columns < 20 || size.rows < 6)
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
        case .list(let list): list.bounds
        }
      let parts =
        [layout.topBar, layout.bottomBar, products]
        + [layout.divider, layout.sideDetail].compactMap(\.self)
      let area = parts.map { $0.columns * $0.rows }.reduce(0, +)
      let blank = layout.divider.map { $0.rows } ?? 0
      #expect(parts.allSatisfy { $0.intersection(CellRect(size: size)) == $0 })
      expect(area, size.count - blank)
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
        expect(grid.place(at: card.origin)?.column, column)
        if column > 0 {
          #expect(card.minColumn >= grid.cardRect(row: 0, column: column - 1).maxColumn + 2)
        }
      }
    }
  }

  @Test func `the detail stands beside the list from 120 columns on`() {
    let narrow = ScreenLayout(size: CellSize(columns: 119, rows: 30), arrangement: .list)
    let wide = ScreenLayout(size: CellSize(columns: 120, rows: 30), arrangement: .list)

    expect(narrow?.sideDetail, nil)
    expect(wide?.sideDetail?.columns, 52)
    expect(wide?.divider?.minColumn, 67)
  }

  @Test(arguments: [
    (CellSize(columns: 80, rows: 22), 6, 2), (CellSize(columns: 120, rows: 34), 11, 2),
    (CellSize(columns: 160, rows: 43), 9, 3), (CellSize(columns: 200, rows: 58), 9, 4),
  ])
  func `pictures are as high as leaves whole cards and the edge of the next`(
    size: CellSize, pictureRows: Int, wholeRows: Int
  ) {
    let grid = CardGrid(CellRect(size: size))

    #expect(grid.pictureRows == pictureRows && grid.wholeRows == wholeRows)
    #expect((1...3).contains(size.rows - grid.end(ofRows: wholeRows)))
  }

  @Test func `pictures keep their shape, and no card is cut that has room`() {
    forEverySize { size in
      let grid = CardGrid(CellRect(size: size))
      guard size.columns >= 20, grid.pictureRows > 2 else { return }
      let last = grid.cardRect(row: grid.wholeRows - 1, column: 0)
      #expect(last.maxRow < size.rows && grid.pictureRows * 2 <= grid.card.columns)
      #expect(grid.shownRows >= grid.wholeRows && grid.shownRows <= grid.wholeRows + 1)
    }
  }

  @Test(arguments: CardGrid.sizes)
  func `cards of every size fill the width from one margin to the other`(cardColumns: Int) {
    for columns in 20...320 {
      let bounds = CellRect(column: 0, row: 1, columns: columns, rows: 78)
      let grid = CardGrid(bounds, cardColumns: cardColumns)

      let cards = (0..<grid.columns).map { grid.cardRect(row: 0, column: $0) }
      expect(cards.first?.minColumn, 1)
      #expect(cards.last?.maxColumn == columns - 1 || grid.columns == 1)
      let gaps = zip(cards.dropFirst(), cards).map { $0.minColumn - $1.maxColumn }
      #expect(gaps.allSatisfy { (2...3).contains($0) })
    }
  }

  @Test(arguments: [CellSize(columns: 300, rows: 78), CellSize(columns: 80, rows: 22)])
  func `each size of cards has others side by side than the one before`(size: CellSize) {
    var grid = CardGrid(CellRect(size: size), cardColumns: CardGrid.sizes[0])
    var columns = [grid.columns]

    while let next = grid.nextSize(isLarger: true), columns.count < 20 {
      grid = CardGrid(CellRect(size: size), cardColumns: next)
      columns.append(grid.columns)
    }

    #expect(columns == columns.sorted(by: >) && Set(columns).count == columns.count)
    expect(columns, size.columns == 300 ? [16, 13, 11, 9, 7, 6, 4, 3] : [4, 3, 2])
    #expect(grid.pictureRows + 5 <= size.rows)
    var back = [grid.columns]
    while let next = grid.nextSize(isLarger: false), back.count < 20 {
      grid = CardGrid(CellRect(size: size), cardColumns: next)
      back.append(grid.columns)
    }
    expect(back, columns.reversed())
  }

  @Test func `rows have two lines and a thumbnail from 160 columns on, where pictures are shown`()
    throws
  {
    func list(_ columns: Int, showsPictures: Bool = true) throws -> RowList? {
      let layout = try #require(
        ScreenLayout(
          size: CellSize(columns: columns, rows: 50), arrangement: .list,
          showsPictures: showsPictures))
      return if case .list(let list) = layout.products { list } else { nil }
    }

    try expect(list(159)?.hasThumbnails, false)
    try expect(list(160)?.hasThumbnails, true)
    try expect(list(160)?.wholeRows, 16)
    try expect(list(160)?.thumbnail(of: 1), CellRect(column: 2, row: 4, columns: 8, rows: 3))
    try expect(list(160)?.rect(of: 1), CellRect(column: 11, row: 4, columns: 77, rows: 3))
    try expect(list(160)?.bar(of: 1), CellRect(column: 0, row: 4, columns: 1, rows: 3))
    try expect(list(160, showsPictures: false)?.hasThumbnails, false)
  }

  @Test(arguments: [120, 133, 160, 201, 400])
  func `the divider stands where it was put, and leaves room on both sides`(columns: Int) throws {
    let size = CellSize(columns: columns, rows: 30)
    let layout = try #require(ScreenLayout(size: size, arrangement: .list))

    for column in -10...columns + 10 {
      var look = ViewState()
      look.listWidthFraction = layout.listWidthFraction(forDividerAt: column)
      let moved = try #require(ScreenLayout(size: size, arrangement: .list, viewState: look))
      let divider = try #require(moved.divider?.minColumn)
      let detail = try #require(moved.sideDetail)

      expect(divider, max(49, min(column, columns - 39)))
      #expect(detail.columns >= 38)
    }
  }
}
