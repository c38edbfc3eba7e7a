package import TerminalKit

/// Layout of a detail: pure arithmetic.
///
/// From 110 columns on the picture stands at the left of the texts and stays there while they scroll.
/// Below, it scrolls with them as one page: above them, or in a low window at the left of the first
/// ones, which say name, price and facts. Texts have lines of at most 72 columns.
package struct DetailLayout: Hashable, Sendable {
  /// The part of `bounds` that scrolls.
  package let viewport: CellRect
  /// Whether the picture scrolls with the texts.
  package let scrollsPicture: Bool
  /// The box into which the picture is fitted, before anything is scrolled; empty where there is no
  /// room.
  package let picture: CellRect
  /// Room for the dots and the count: one row under the picture.
  package let dots: CellRect
  /// Room for the thumbnails under the picture, with a row for the mark of the shown one; empty where
  /// there is none.
  package let thumbnails: CellRect
  /// Room for name, price and facts, before anything is scrolled.
  package let text: CellRect
  /// The columns of the blocks below them.
  package let blocks: CellRect
  /// Lines of the page that a picture takes which has the first texts at its right.
  private let linesBesideText: Int

  private static let maxLineLength = 72
  private static let sideBySideColumns = 110
  /// Columns between the picture and the texts at its right.
  private static let gap = 3
  /// From so many rows on a blank one stands above everything.
  private static let rowsForMargin = 26
  /// From so many rows on there are thumbnails.
  private static let rowsForThumbnails = 24
  private static let thumbnailRows = 5
  /// Below so many rows of the window a picture takes a third of them and has texts at its right.
  private static let tallWindowRows = 30
  /// Rows of the window outside of the bounds.
  private static let barRows = 2
  private static let minPictureRows = 3
  /// Columns that texts at the right of a picture have at least.
  private static let minTextColumns = 24

  /// Lays out `bounds` for so many pictures; without `showsPictures` a row of words stands for each.
  package init(_ bounds: CellRect, pictures count: Int = 1, showsPictures: Bool = true) {
    if bounds.columns >= Self.sideBySideColumns, showsPictures,
      let layout = Self(sideBySide: bounds)
    {
      self = layout
    } else {
      self.init(stacked: bounds, pictures: count, showsPictures: showsPictures)
    }
  }

  /// The columns that a picture of usual shape takes in so many rows; cells are twice as high as wide.
  private static func columns(rows: Int) -> Int { rows * 8 / 3 }

  private static func rows(columns: Int) -> Int { columns * 3 / 8 }

  /// The picture at the left, with room for its thumbnails whatever the product has, so that nothing
  /// moves from product to product; nil where the window is too short.
  private init?(sideBySide bounds: CellRect) {
    let area = bounds.inset(left: 1, top: bounds.rows >= Self.rowsForMargin ? 1 : 0, right: 1)
    let hasThumbnails = area.rows >= Self.rowsForThumbnails
    let rowsUnder = hasThumbnails ? Self.thumbnailRows + 1 : 2
    let maxRows = area.rows - rowsUnder
    let wanted = max(area.columns - Self.gap - Self.maxLineLength, area.columns / 2)
    let columns = min(bounds.columns * 55 / 100, wanted, Self.columns(rows: maxRows))
    guard maxRows >= Self.minPictureRows else { return nil }
    let rows = min(maxRows, Self.rows(columns: columns + 2))
    picture = area.splitLeft(columns).left.splitTop(rows).top
    let under = area.splitLeft(columns).left.inset(top: rows + (hasThumbnails ? 1 : 0))
    dots = under.row(0)
    thumbnails = hasThumbnails ? under.splitTop(Self.thumbnailRows).top : .zero
    viewport = area.splitLeft(columns + Self.gap).rest
    scrollsPicture = false
    text = viewport.splitLeft(min(viewport.columns, Self.maxLineLength)).left
    blocks = text
    linesBesideText = 0
  }

  /// The picture above the texts or at the left of the first ones, all others on one left edge.
  private init(stacked bounds: CellRect, pictures count: Int, showsPictures: Bool) {
    viewport = bounds.inset(left: 1, right: 1)
    scrollsPicture = true
    thumbnails = .zero
    let windowRows = bounds.rows + Self.barRows
    let isTall = windowRows >= Self.tallWindowRows
    let share = isTall ? bounds.rows / 2 : windowRows / 3
    let most = showsPictures ? min(share, Self.rows(columns: viewport.columns)) : 1
    let fewest = showsPictures ? Self.minPictureRows : 1
    let rows = count > 0 && most >= fewest && most * 2 <= bounds.rows ? most : 0
    let top = bounds.rows >= Self.rowsForMargin && rows > 1 ? 1 : 0
    let columns = showsPictures ? Self.columns(rows: rows) : viewport.columns
    picture = viewport.inset(top: top).splitTop(rows).top.splitLeft(columns).left
    let hasTextBeside =
      !isTall && rows > 1 && viewport.columns - columns - Self.gap >= Self.minTextColumns
    let dotsColumns = hasTextBeside ? picture.columns : viewport.columns
    dots =
      rows == 0 || count < 2
      ? .zero
      : CellRect(
        column: viewport.minColumn, row: picture.maxRow, columns: dotsColumns, rows: 1)
    let picturePart = rows == 0 ? 0 : top + rows + dots.rows
    linesBesideText = hasTextBeside ? picturePart : 0
    let rest =
      hasTextBeside
      ? viewport.splitLeft(columns + Self.gap).rest
      : viewport.inset(top: picturePart + (rows == 0 ? 0 : 1))
    text = rest.splitLeft(min(rest.columns, Self.maxLineLength)).left
    blocks = viewport.splitLeft(min(viewport.columns, Self.maxLineLength)).left
  }

  /// The row at the top of what scrolls, its margins included.
  var pinned: CellRect {
    CellRect(
      column: viewport.minColumn - 1, row: viewport.minRow, columns: viewport.columns + 2,
      rows: min(1, viewport.rows))
  }

  /// Lines of the page above the first one of the texts.
  package var linesAboveText: Int { text.minRow - viewport.minRow }

  /// The line of the page with which the blocks begin, below so many lines of name, price and facts.
  package func firstLineOfBlocks(below lines: Int) -> Int {
    max(linesAboveText + lines, linesBesideText)
  }

  /// Whether name and price are scrolled away with so many lines of the page.
  func hidesName(scrolledBy lines: Int) -> Bool { lines > max(linesAboveText, linesBesideText) }

  /// Lines of a page of so many that do not fit.
  package func hiddenLines(_ lines: Int) -> Int { max(0, lines - viewport.rows) }
}
