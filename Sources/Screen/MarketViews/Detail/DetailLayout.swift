package import TerminalKit

/// Layout of a detail.
///
/// From 110 columns on, the picture is at the left of the texts and stays there while they scroll.
/// Below that, it scrolls with them as one page: above them, or in a low window at the left of the
/// first ones: name, price and facts. Lines of text have at most 72 columns.
package struct DetailLayout: Hashable, Sendable {
  /// Part of `bounds` that scrolls.
  package let viewport: CellRect
  /// Whether the picture scrolls with the texts.
  package let scrollsPicture: Bool
  /// Box of the picture before scrolling; empty where there is no room.
  package let picture: CellRect
  /// Row under the picture for dots and count; empty where thumbnails are.
  package let dots: CellRect
  /// Area of the thumbnails under the picture, with a row for the mark of the shown one; empty where
  /// there is no room.
  package let thumbnails: CellRect
  /// Area of name, price and facts before scrolling.
  package let text: CellRect
  /// Columns of the blocks below them.
  package let blocks: CellRect
  /// Lines that a picture with texts at its right takes; 0 for other layouts.
  private let linesBesideText: Int

  private static let maxLineLength = 72
  private static let sideBySideColumns = 110
  /// Columns between the picture and the texts at its right.
  private static let gap = 3
  /// Minimum rows for a blank row at the top.
  private static let rowsForMargin = 26
  /// Minimum rows for thumbnails.
  private static let rowsForThumbnails = 24
  private static let thumbnailRows = 5
  /// Minimum rows of the window for a picture above the texts; below, it takes a third of them, with
  /// texts at its right.
  private static let tallWindowRows = 30
  /// Rows of the window outside `bounds`.
  private static let barRows = 2
  private static let minPictureRows = 3
  /// Minimum columns of texts at the right of a picture.
  private static let minTextColumns = 24

  /// Lays out `bounds` for `count` pictures; without `showsPictures`, a row of text replaces the
  /// picture.
  package init(_ bounds: CellRect, pictures count: Int = 1, showsPictures: Bool = true) {
    if bounds.columns >= Self.sideBySideColumns, showsPictures,
      let layout = Self(sideBySide: bounds)
    {
      self = layout
    } else {
      self.init(stacked: bounds, pictures: count, showsPictures: showsPictures)
    }
  }

  /// Columns of a picture of typical shape in `rows` rows; cells are twice as high as wide.
  private static func columns(rows: Int) -> Int { rows * 8 / 3 }

  private static func rows(columns: Int) -> Int { columns * 3 / 8 }

  /// Picture at the left, with room for thumbnails even if the product has none, so that the layout is
  /// the same for all products; nil where the window is too low.
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
    dots = hasThumbnails ? .zero : under.row(0)
    thumbnails = hasThumbnails ? under.splitTop(Self.thumbnailRows).top : .zero
    viewport = area.splitLeft(columns + Self.gap).rest
    scrollsPicture = false
    text = viewport.splitLeft(min(viewport.columns, Self.maxLineLength)).left
    blocks = text
    linesBesideText = 0
  }

  /// Picture above the texts or at the left of the first ones, all others on one left edge.
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

  /// Number of cards beside one another below the blocks; 0 where the picture is not at the left of all
  /// texts.
  var cardsPerRow: Int { scrollsPicture ? 0 : ProductCard.perRow(in: viewport.columns) }

  /// Row at the top of the viewport, with its margins.
  var pinned: CellRect {
    CellRect(
      column: viewport.minColumn - 1, row: viewport.minRow, columns: viewport.columns + 2,
      rows: min(1, viewport.rows))
  }

  /// Lines of the page above the first text.
  package var linesAboveText: Int { text.minRow - viewport.minRow }

  /// First line of the blocks, below `lines` lines of name, price and facts.
  package func firstLineOfBlocks(below lines: Int) -> Int {
    max(linesAboveText + lines, linesBesideText)
  }

  /// Whether name and price are out of sight after scrolling by `lines`.
  func hidesName(scrolledBy lines: Int) -> Bool { lines > max(linesAboveText, linesBesideText) }

  /// Lines of a page of `lines` that do not fit.
  package func hiddenLines(_ lines: Int) -> Int { max(0, lines - viewport.rows) }
}
