package import MarketViewModels
package import TerminalKit

/// Layout of a window of a given size: pure arithmetic.
package struct ScreenLayout: Hashable, Sendable {
  package let size: CellSize
  package let topBar: CellRect
  package let bottomBar: CellRect
  /// Everything between the bars.
  package let body: CellRect
  /// The drafts above the products, or who sells them, with a rule under it; empty where there are
  /// none.
  package let shelf: CellRect
  package let products: Products
  /// The detail beside the list; nil where it would be too narrow.
  package let sideDetail: CellRect?
  /// The column between list and detail, which the mouse may move.
  package let divider: CellRect?
  /// Whether the terminal moves the list by itself also beside the detail.
  private let movesPanels: Bool

  package enum Products: Hashable, Sendable {
    case grid(CardGrid)
    case list(RowList)

    var bounds: CellRect {
      switch self {
      case .grid(let grid): grid.bounds
      case .list(let list): list.bounds
      }
    }
  }

  /// Under this a window shows one sentence.
  static let smallest = CellSize(columns: 20, rows: 6)
  /// Blank columns at the left and the right of bars and of what hangs from them.
  static let margin = 1
  /// Where the market's name stands in the top bar, behind that of the program.
  static let nameColumn = margin + 12
  /// From this width on a list has the detail beside it.
  private static let sideBySideColumns = 120
  /// From this width on its rows have thumbnails.
  private static let thumbnailColumns = 160
  /// Part of the width that the list has until another one is chosen.
  private static let usualShare = ListWidthFraction(11, of: 20)
  private static let narrowestList = 48
  private static let narrowestDetail = 40
  /// Rows with thumbnails that stay in sight where a step leaves the screen.
  private static let keptRows = 3
  /// Without thumbnails a step scrolls by this part of the screen.
  private static let leapShare = 8
  /// The shelf takes no more than this part of the window.
  private static let shelfShare = 3

  /// Nil for a window that is too small to show anything but a sentence; a plain one is one list.
  package init?(
    size: CellSize, arrangement: BrowserModel.Arrangement, isPlain: Bool = false,
    showsPictures: Bool = true, shelfLines: Int = 0, look: ViewState = ViewState(),
    movesPanels: Bool = false, headings: ListHeadings = ListHeadings()
  ) {
    guard size.columns >= Self.smallest.columns, size.rows >= Self.smallest.rows else { return nil }
    self.size = size
    self.movesPanels = movesPanels
    let whole = CellRect(size: size)
    (topBar, _) = whole.splitTop(1)
    bottomBar = whole.splitBottom(1).bottom
    body = whole.inset(top: 1, bottom: 1)
    let shelfRows = shelfLines == 0 ? 0 : min(shelfLines, max(1, body.rows / Self.shelfShare)) + 1
    let (shelf, rest) = body.splitTop(shelfRows)
    self.shelf = shelf
    switch arrangement {
    case _ where isPlain:
      products = .list(RowList(rest, headings: headings))
      (sideDetail, divider) = (nil, nil)
    case .grid:
      products = .grid(
        CardGrid(
          rest, showsPictures: showsPictures, cardColumns: look.cardColumns ?? CardGrid.usualSize))
      (sideDetail, divider) = (nil, nil)
    case .list where size.columns >= Self.sideBySideColumns:
      let columns = Self.listColumns(look.listWidthFraction ?? Self.usualShare, of: size.columns)
      let (list, side) = rest.splitLeft(columns)
      let hasThumbnails = showsPictures && size.columns >= Self.thumbnailColumns
      products = .list(RowList(list, hasThumbnails: hasThumbnails, headings: headings))
      let (divider, detail) = side.inset(left: 1).splitLeft(1)
      (sideDetail, self.divider) = (detail, divider)
    case .list:
      products = .list(RowList(rest, headings: headings))
      (sideDetail, divider) = (nil, nil)
    }
  }

  private static func listColumns(_ share: ListWidthFraction, of width: Int) -> Int {
    max(narrowestList, min(share.columns(of: width), width - narrowestDetail))
  }

  /// Products side by side, whole rows of them, and how many of these a step scrolls that leaves the
  /// screen.
  ///
  /// A terminal scrolls whole lines by itself; where it does not beside a detail, nearly all of the list
  /// has to be sent again, so that it comes less often, and least where there are thumbnails.
  package var viewport: (columns: Int, rows: Int, scrollStep: Int) {
    switch products {
    case .grid(let grid): return (grid.columns, grid.wholeRows, 1)
    case .list(let list):
      let rows = list.wholeRows
      let scrollStep = list.hasThumbnails ? rows - Self.keptRows : rows / Self.leapShare
      return (1, rows, sideDetail == nil || movesPanels ? 1 : max(1, scrollStep))
    }
  }

  /// The part of the width that the list has where the divider stands at a column, or the nearest at
  /// which it may stand; nil where there is no divider.
  package func listWidthFraction(forDividerAt column: Int) -> ListWidthFraction? {
    guard let divider else { return nil }
    let columns = listColumns(beside: divider) + column - divider.minColumn
    let share = ListWidthFraction(max(0, columns), of: size.columns)
    return ListWidthFraction(Self.listColumns(share, of: size.columns), of: size.columns)
  }

  private func listColumns(beside divider: CellRect) -> Int { divider.minColumn - 1 }

  /// Whether a point is on the divider or on one of the blank cells beside it.
  package func isOnDivider(_ point: CellPoint) -> Bool {
    guard let divider else { return false }
    return divider.inset(columns: -1).contains(point)
  }

  /// How far from the first product on the screen a point lies, in products.
  package func productOffset(at point: CellPoint) -> Int? {
    switch products {
    case .grid(let grid): grid.place(at: point).map { $0.row * grid.columns + $0.column }
    case .list(let list): list.row(at: point)
    }
  }
}
