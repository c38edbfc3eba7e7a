/// A rectangle of cells, the unit of layout.
///
/// No operation yields a negative size: what does not fit becomes empty.
package struct CellRect: Hashable, Sendable {
  package var origin: CellPoint
  package var size: CellSize

  package static let zero = CellRect(column: 0, row: 0, columns: 0, rows: 0)

  package init(origin: CellPoint = .zero, size: CellSize) {
    self.origin = origin
    self.size = size
  }

  package init(column: Int, row: Int, columns: Int, rows: Int) {
    origin = CellPoint(column: column, row: row)
    size = CellSize(columns: columns, rows: rows)
  }

  package var minColumn: Int { origin.column }
  package var minRow: Int { origin.row }
  /// The first column right of the rectangle.
  package var maxColumn: Int { origin.column + size.columns }
  /// The first row below the rectangle.
  package var maxRow: Int { origin.row + size.rows }
  package var columns: Int { size.columns }
  package var rows: Int { size.rows }
  package var isEmpty: Bool { size.isEmpty }

  package func contains(_ point: CellPoint) -> Bool {
    (minColumn..<maxColumn).contains(point.column) && (minRow..<maxRow).contains(point.row)
  }

  /// The part that both rectangles cover; empty, at this one's origin, where they do not meet.
  package func intersection(_ other: CellRect) -> CellRect {
    let left = max(minColumn, other.minColumn)
    let top = max(minRow, other.minRow)
    let right = min(maxColumn, other.maxColumn)
    let bottom = min(maxRow, other.maxRow)
    guard left < right, top < bottom else { return CellRect(origin: origin, size: .zero) }
    return CellRect(column: left, row: top, columns: right - left, rows: bottom - top)
  }

  /// This rectangle moved; negative distances move left and up.
  package func offset(columns: Int = 0, rows: Int = 0) -> CellRect {
    CellRect(origin: origin.moved(columns: columns, rows: rows), size: size)
  }
}
