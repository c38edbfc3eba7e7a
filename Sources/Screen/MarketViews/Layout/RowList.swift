package import TerminalKit

/// Places of the rows of a list: pure arithmetic on a rectangle.
///
/// A row is one line, or two with a thumbnail beside them and a blank line below.
package struct RowList: Hashable, Sendable {
  package private(set) var bounds: CellRect
  package let hasThumbnails: Bool

  /// Cells of a thumbnail.
  private static let thumbnail = CellSize(columns: 8, rows: 2)
  /// The column where bars and cards begin.
  private static let margin = 1
  /// The column of a thumbnail, with a blank one between it and the bar of the selected row.
  private static let thumbnailColumn = 2
  /// Cells between a thumbnail and the ground of the selected row, which must not touch it.
  private static let gap = 1

  package init(_ bounds: CellRect, hasThumbnails: Bool = false) {
    self.bounds = bounds
    self.hasThumbnails = hasThumbnails
  }

  /// The same rows on a canvas of their own.
  package var atOrigin: RowList {
    RowList(CellRect(size: bounds.size), hasThumbnails: hasThumbnails)
  }

  private var lines: Int { hasThumbnails ? Self.thumbnail.rows : 1 }
  /// Lines from one row to the next.
  private var pitch: Int { hasThumbnails ? lines + 1 : lines }

  /// Rows that fit whole, at least one.
  ///
  /// The last line is none of them: it shows what comes next, or the end of the list.
  package var wholeRows: Int {
    max(1, hasThumbnails ? bounds.rows / pitch : bounds.rows - 1)
  }

  /// The lines of a row, counted from the first one on the screen; right of its thumbnail, which
  /// nothing may touch.
  package func rect(of row: Int) -> CellRect {
    let whole = CellRect(
      column: bounds.minColumn, row: bounds.minRow + row * pitch, columns: bounds.columns,
      rows: lines)
    return hasThumbnails
      ? whole.inset(left: Self.thumbnailColumn + Self.thumbnail.columns + Self.gap) : whole
  }

  /// The column of a row in which a bar marks it as selected, at the left edge.
  package func bar(of row: Int) -> CellRect {
    CellRect(
      column: bounds.minColumn, row: bounds.minRow + row * pitch, columns: 1, rows: lines)
  }

  /// The thumbnail of a row; empty where rows have none.
  package func thumbnail(of row: Int) -> CellRect {
    CellRect(
      origin: bounds.origin.moved(columns: Self.thumbnailColumn, rows: row * pitch),
      size: hasThumbnails ? Self.thumbnail : .zero)
  }

  /// The row, counted from the first one on the screen, at which a point lies.
  package func row(at point: CellPoint) -> Int? {
    bounds.contains(point) ? (point.row - bounds.minRow) / pitch : nil
  }

  /// What is left below so many rows; the blank line that ends the last one belongs to it where
  /// nothing else is left.
  package func rest(below rows: Int) -> CellRect {
    let end = rows * pitch
    let top = end < bounds.rows ? end : end - (pitch - lines)
    return bounds.inset(left: Self.margin, top: top, right: Self.margin)
  }
}
