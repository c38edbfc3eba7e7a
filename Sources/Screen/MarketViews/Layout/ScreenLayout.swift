package import MarketViewModels
package import TerminalKit

/// Layout of a window by its size.
package struct ScreenLayout: Hashable, Sendable {
  package let size: CellSize
  package let topBar: CellRect
  /// Line of a plain window below the title, for state and announcements; empty in others.
  package let stateLine: CellRect
  package let bottomBar: CellRect
  /// Area between the bars.
  package let body: CellRect
  /// Area of the drafts or the seller above the products, with a rule below; empty without either.
  package let draftList: CellRect
  package let products: Products
  /// Area of the detail pane beside the list; nil where it would be too narrow.
  package let sideDetail: CellRect?
  /// Column between list and detail, which can be dragged; nil without a detail.
  package let divider: CellRect?
  /// Whether the terminal can scroll the list beside the detail.
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

  /// Minimum size; a smaller window shows one sentence.
  static let smallest = CellSize(columns: 20, rows: 6)
  /// Blank columns at both sides of bars and of boxes below them.
  static let margin = 1
  /// First column of the market's name in the top bar, after the program's name.
  static let nameColumn = margin + 12
  /// Minimum columns of a window for the detail beside the list.
  private static let sideBySideColumns = 120
  /// Minimum columns of a window for thumbnails.
  private static let thumbnailColumns = 160
  /// Default share of the width for the list.
  private static let usualShare = ListWidthFraction(11, of: 20)
  private static let narrowestList = 48
  private static let narrowestDetail = 40
  /// Rows with thumbnails that stay visible when a step leaves the screen.
  private static let keptRows = 3
  /// Divisor of the rows that a step scrolls without thumbnails.
  private static let leapShare = 8
  /// Divisor of the window's height for the maximum of the drafts.
  private static let draftListShare = 3

  /// Returns nil for a window below the minimum size; a plain window has only a list.
  package init?(
    size: CellSize, arrangement: BrowserModel.Arrangement, isPlain: Bool = false,
    showsPictures: Bool = true, linesAbove: Int = 0, viewState: ViewState = ViewState(),
    movesPanels: Bool = false, headings: ListHeadings = ListHeadings()
  ) {
    guard size.columns >= Self.smallest.columns, size.rows >= Self.smallest.rows else { return nil }
    self.size = size
    self.movesPanels = movesPanels
    let whole = CellRect(size: size)
    (topBar, _) = whole.splitTop(1)
    bottomBar = whole.splitBottom(1).bottom
    (stateLine, body) = whole.inset(top: 1, bottom: 1).splitTop(isPlain ? 1 : 0)
    let draftListRows =
      linesAbove == 0 ? 0 : min(linesAbove, max(1, body.rows / Self.draftListShare)) + 1
    let (draftList, rest) = body.splitTop(draftListRows)
    self.draftList = draftList
    switch arrangement {
    case _ where isPlain:
      products = .list(RowList(rest, headings: headings))
      (sideDetail, divider) = (nil, nil)
    case .grid:
      products = .grid(
        CardGrid(
          rest, showsPictures: showsPictures,
          cardColumns: viewState.cardColumns ?? CardGrid.usualSize))
      (sideDetail, divider) = (nil, nil)
    case .list where size.columns >= Self.sideBySideColumns:
      let columns = Self.listColumns(
        viewState.listWidthFraction ?? Self.usualShare, of: size.columns)
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

  /// Number of products side by side, of complete rows, and of rows that a step scrolls when it leaves
  /// the screen.
  ///
  /// Where the terminal cannot scroll the list beside a detail, nearly all of it has to be sent again,
  /// so steps are larger, and largest with thumbnails.
  package var viewport: (columns: Int, rows: Int, scrollStep: Int) {
    switch products {
    case .grid(let grid): return (grid.columns, grid.wholeRows, 1)
    case .list(let list):
      let rows = list.wholeRows
      let scrollStep = list.hasThumbnails ? rows - Self.keptRows : rows / Self.leapShare
      return (1, rows, sideDetail == nil || movesPanels ? 1 : max(1, scrollStep))
    }
  }

  /// Returns the list's share of the width for a divider at `column`, clamped to the allowed range; nil
  /// without a divider.
  package func listWidthFraction(forDividerAt column: Int) -> ListWidthFraction? {
    guard let divider else { return nil }
    let columns = listColumns(beside: divider) + column - divider.minColumn
    let share = ListWidthFraction(max(0, columns), of: size.columns)
    return ListWidthFraction(Self.listColumns(share, of: size.columns), of: size.columns)
  }

  private func listColumns(beside divider: CellRect) -> Int { divider.minColumn - 1 }

  /// Whether a point is on the divider or on a blank cell beside it.
  package func isOnDivider(_ point: CellPoint) -> Bool {
    guard let divider else { return false }
    return divider.inset(columns: -1).contains(point)
  }

  /// Position of the product at a point, counted from the first one on the screen; nil for none.
  package func productOffset(at point: CellPoint) -> Int? {
    switch products {
    case .grid(let grid): grid.place(at: point).map { $0.row * grid.columns + $0.column }
    case .list(let list): list.row(at: point)
    }
  }
}
