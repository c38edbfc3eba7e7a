package import MarketViewModels
package import TerminalKit

/// Layout of a window of a given size: pure arithmetic.
package struct ScreenLayout: Hashable, Sendable {
  package let size: CellSize
  package let topBar: CellRect
  package let bottomBar: CellRect
  /// Everything between the bars.
  package let body: CellRect
  /// The drafts above the products, with a rule under them; empty where there are none.
  package let shelf: CellRect
  package let products: Products
  /// The detail beside the list; nil where it would be too narrow.
  package let sideDetail: CellRect?

  package enum Products: Hashable, Sendable {
    case grid(CardGrid)
    case list(CellRect)
  }

  /// Under this a window shows one sentence.
  static let smallest = CellSize(columns: 20, rows: 6)
  /// Blank columns at the left and the right of bars and of what hangs from them.
  static let margin = 1
  /// From this width on a list has the detail beside it.
  private static let sideBySideColumns = 120
  /// Drafts take no more than this part of the window.
  private static let shelfShare = 4

  /// Nil for a window that is too small to show anything but a sentence.
  package init?(
    size: CellSize, arrangement: BrowserModel.Arrangement, showsPictures: Bool = true,
    drafts: Int = 0
  ) {
    guard size.columns >= Self.smallest.columns, size.rows >= Self.smallest.rows else { return nil }
    self.size = size
    let whole = CellRect(size: size)
    (topBar, _) = whole.splitTop(1)
    bottomBar = whole.splitBottom(1).bottom
    body = whole.inset(top: 1, bottom: 1)
    let shelfRows = drafts == 0 ? 0 : min(drafts, max(1, body.rows / Self.shelfShare)) + 1
    let (shelf, rest) = body.splitTop(shelfRows)
    self.shelf = shelf
    switch arrangement {
    case .grid:
      products = .grid(CardGrid(rest, showsPictures: showsPictures))
      sideDetail = nil
    case .list where size.columns >= Self.sideBySideColumns:
      let (list, detail) = rest.splitRight(size.columns * 9 / 20)
      products = .list(list)
      sideDetail = detail
    case .list:
      products = .list(rest)
      sideDetail = nil
    }
  }

  /// Products side by side, and whole rows of them.
  ///
  /// The last line of a list is none of them: it shows what comes next, or the end of the list.
  package var viewport: (columns: Int, rows: Int) {
    switch products {
    case .grid(let grid): (grid.columns, grid.wholeRows)
    case .list(let rect): (1, max(1, rect.rows - 1))
    }
  }

  /// How far from the first product on the screen a point lies, in products.
  package func productOffset(at point: CellPoint) -> Int? {
    switch products {
    case .grid(let grid): grid.place(at: point).map { $0.row * grid.columns + $0.column }
    case .list(let rect): rect.contains(point) ? point.row - rect.minRow : nil
    }
  }
}
