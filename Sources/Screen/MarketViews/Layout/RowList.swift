package import TerminalKit

/// Layout of the rows of a list.
///
/// A row is one line, or three beside a thumbnail.
package struct RowList: Hashable, Sendable {
  package private(set) var bounds: CellRect
  package let hasThumbnails: Bool
  private let headings: ListHeadings

  /// Size of a thumbnail in cells.
  private static let thumbnail = CellSize(columns: 8, rows: 3)
  /// First column of bars and cards.
  private static let margin = 1
  /// First column of a thumbnail, with a blank one between it and the bar of the selected row.
  private static let thumbnailColumn = 2
  /// Columns between a thumbnail and the background of the selected row, which must not touch it.
  private static let gap = 1

  package init(
    _ bounds: CellRect, hasThumbnails: Bool = false, headings: ListHeadings = ListHeadings()
  ) {
    self.bounds = bounds
    self.hasThumbnails = hasThumbnails
    self.headings = headings
  }

  /// The rows moved to the origin of their own canvas.
  package var atOrigin: RowList {
    RowList(CellRect(size: bounds.size), hasThumbnails: hasThumbnails, headings: headings)
  }

  private var lines: Int { hasThumbnails ? Self.thumbnail.rows : 1 }

  /// First line of a row, counted from the first row of the list, without headings.
  func line(ofRow row: Int) -> Int { row * lines }

  /// Number of rows that fit completely, at least one.
  ///
  /// The last line is not counted: it shows the next row or the end of the list.
  package var wholeRows: Int {
    let rows = bounds.rows - headings.count
    return max(1, hasThumbnails ? rows / lines : rows - 1)
  }

  /// First line of a row, with the headings above it.
  private func top(of row: Int) -> Int {
    row * lines + headings.rows.count { $0 <= row }
  }

  /// Line of the heading above a row.
  package func heading(of row: Int) -> CellRect {
    CellRect(
      column: bounds.minColumn, row: bounds.minRow + top(of: row) - 1, columns: bounds.columns,
      rows: 1
    ).inset(left: Self.thumbnailColumn, right: Self.margin)
  }

  /// Area of a row, counted from the first one on the screen; right of its thumbnail, with a gap.
  package func rect(of row: Int) -> CellRect {
    let whole = CellRect(
      column: bounds.minColumn, row: bounds.minRow + top(of: row), columns: bounds.columns,
      rows: lines)
    return hasThumbnails
      ? whole.inset(left: Self.thumbnailColumn + Self.thumbnail.columns + Self.gap) : whole
  }

  /// Area of the selection bar of a row, at the left edge.
  package func bar(of row: Int) -> CellRect {
    CellRect(
      column: bounds.minColumn, row: bounds.minRow + top(of: row), columns: 1, rows: lines)
  }

  /// Area of a row's thumbnail; empty where rows have none.
  package func thumbnail(of row: Int) -> CellRect {
    CellRect(
      origin: bounds.origin.moved(columns: Self.thumbnailColumn, rows: top(of: row)),
      size: hasThumbnails ? Self.thumbnail : .zero)
  }

  /// Row at a point, counted from the first one on the screen; nil for a heading or outside.
  package func row(at point: CellPoint) -> Int? {
    guard bounds.contains(point) else { return nil }
    let line = point.row - bounds.minRow
    let row = (0...line).last { top(of: $0) <= line }
    // A heading belongs to no row.
    return row.flatMap { line < top(of: $0) + lines ? $0 : nil }
  }

  /// Area below `rows` rows; where none is left, the last line beside a thumbnail, which has no text.
  package func rest(below rows: Int) -> CellRect {
    let end = rows * lines + headings.rows.count { $0 < rows }
    guard hasThumbnails, end >= bounds.rows else {
      return bounds.inset(left: Self.margin, top: end, right: Self.margin)
    }
    let last = rect(of: rows - 1)
    return last.row(lines - 1).inset(right: Self.margin)
  }
}
