package import TerminalKit

/// Places of the rows of a list: pure arithmetic on a rectangle.
///
/// A row is one line, or three with a thumbnail beside them.
package struct RowList: Hashable, Sendable {
  package private(set) var bounds: CellRect
  package let hasThumbnails: Bool
  private let headings: ListHeadings

  /// Cells of a thumbnail.
  private static let thumbnail = CellSize(columns: 8, rows: 3)
  /// The column where bars and cards begin.
  private static let margin = 1
  /// The column of a thumbnail, with a blank one between it and the bar of the selected row.
  private static let thumbnailColumn = 2
  /// Cells between a thumbnail and the ground of the selected row, which must not touch it.
  private static let gap = 1

  package init(
    _ bounds: CellRect, hasThumbnails: Bool = false, headings: ListHeadings = ListHeadings()
  ) {
    self.bounds = bounds
    self.hasThumbnails = hasThumbnails
    self.headings = headings
  }

  /// The same rows on a canvas of their own.
  package var atOrigin: RowList {
    RowList(CellRect(size: bounds.size), hasThumbnails: hasThumbnails, headings: headings)
  }

  private var lines: Int { hasThumbnails ? Self.thumbnail.rows : 1 }

  /// The line with which a row begins, counted from the first row of the list, headings left out.
  func line(ofRow row: Int) -> Int { row * lines }

  /// Rows that fit whole, at least one.
  ///
  /// The last line is none of them: it shows what comes next, or the end of the list.
  package var wholeRows: Int {
    let rows = bounds.rows - headings.count
    return max(1, hasThumbnails ? rows / lines : rows - 1)
  }

  /// The first line of a row, below the headings up to it.
  private func top(of row: Int) -> Int {
    row * lines + headings.rows.count { $0 <= row }
  }

  /// The line of the heading above a row.
  package func heading(of row: Int) -> CellRect {
    CellRect(
      column: bounds.minColumn, row: bounds.minRow + top(of: row) - 1, columns: bounds.columns,
      rows: 1
    ).inset(left: Self.thumbnailColumn, right: Self.margin)
  }

  /// The lines of a row, counted from the first one on the screen; right of its thumbnail, which
  /// nothing may touch.
  package func rect(of row: Int) -> CellRect {
    let whole = CellRect(
      column: bounds.minColumn, row: bounds.minRow + top(of: row), columns: bounds.columns,
      rows: lines)
    return hasThumbnails
      ? whole.inset(left: Self.thumbnailColumn + Self.thumbnail.columns + Self.gap) : whole
  }

  /// The column of a row in which a bar marks it as selected, at the left edge.
  package func bar(of row: Int) -> CellRect {
    CellRect(
      column: bounds.minColumn, row: bounds.minRow + top(of: row), columns: 1, rows: lines)
  }

  /// The thumbnail of a row; empty where rows have none.
  package func thumbnail(of row: Int) -> CellRect {
    CellRect(
      origin: bounds.origin.moved(columns: Self.thumbnailColumn, rows: top(of: row)),
      size: hasThumbnails ? Self.thumbnail : .zero)
  }

  /// The row, counted from the first one on the screen, at which a point lies.
  package func row(at point: CellPoint) -> Int? {
    guard bounds.contains(point) else { return nil }
    let line = point.row - bounds.minRow
    let row = (0...line).last { top(of: $0) <= line }
    // A heading belongs to no row.
    return row.flatMap { line < top(of: $0) + lines ? $0 : nil }
  }

  /// What is left below so many rows; where that is nothing, the last line beside a thumbnail, in which no
  /// text stands.
  package func rest(below rows: Int) -> CellRect {
    let end = rows * lines + headings.rows.count { $0 < rows }
    guard hasThumbnails, end >= bounds.rows else {
      return bounds.inset(left: Self.margin, top: end, right: Self.margin)
    }
    let last = rect(of: rows - 1)
    return last.row(lines - 1).inset(right: Self.margin)
  }
}
