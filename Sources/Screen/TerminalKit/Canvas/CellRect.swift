/// Rectangle of cells, the unit of layout.
///
/// No operation yields a negative size; a negative result becomes 0.
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
  /// First column right of the rectangle.
  package var maxColumn: Int { origin.column + size.columns }
  /// First row below the rectangle.
  package var maxRow: Int { origin.row + size.rows }
  package var columns: Int { size.columns }
  package var rows: Int { size.rows }
  package var isEmpty: Bool { size.isEmpty }

  package func contains(_ point: CellPoint) -> Bool {
    (minColumn..<maxColumn).contains(point.column) && (minRow..<maxRow).contains(point.row)
  }

  /// Returns the common area; empty, at this rectangle's origin, where there is none.
  package func intersection(_ other: CellRect) -> CellRect {
    let left = max(minColumn, other.minColumn)
    let top = max(minRow, other.minRow)
    let right = min(maxColumn, other.maxColumn)
    let bottom = min(maxRow, other.maxRow)
    guard left < right, top < bottom else { return CellRect(origin: origin, size: .zero) }
    return CellRect(column: left, row: top, columns: right - left, rows: bottom - top)
  }

  /// Returns this rectangle moved; negative distances move left and up.
  package func offset(columns: Int = 0, rows: Int = 0) -> CellRect {
    CellRect(origin: origin.moved(columns: columns, rows: rows), size: size)
  }

  /// Returns the rectangle without equal margins on opposite sides.
  package func inset(columns: Int = 0, rows: Int = 0) -> CellRect {
    inset(left: columns, top: rows, right: columns, bottom: rows)
  }

  /// Returns the rectangle without a separate margin on each side.
  package func inset(left: Int = 0, top: Int = 0, right: Int = 0, bottom: Int = 0) -> CellRect {
    CellRect(
      column: minColumn + min(left, columns), row: minRow + min(top, rows),
      columns: columns - left - right, rows: rows - top - bottom)
  }

  /// Splits off `count` rows at the top, at most all.
  package func splitTop(_ count: Int) -> (top: CellRect, rest: CellRect) {
    let count = min(max(0, count), rows)
    return (
      CellRect(origin: origin, size: CellSize(columns: columns, rows: count)),
      inset(top: count)
    )
  }

  /// Splits off `count` rows at the bottom, at most all.
  package func splitBottom(_ count: Int) -> (rest: CellRect, bottom: CellRect) {
    let halves = splitTop(rows - min(max(0, count), rows))
    return (halves.top, halves.rest)
  }

  /// Splits off `count` columns at the left, at most all.
  package func splitLeft(_ count: Int) -> (left: CellRect, rest: CellRect) {
    let count = min(max(0, count), columns)
    return (
      CellRect(origin: origin, size: CellSize(columns: count, rows: rows)),
      inset(left: count)
    )
  }

  /// Splits off `count` columns at the right, at most all.
  package func splitRight(_ count: Int) -> (rest: CellRect, right: CellRect) {
    let halves = splitLeft(columns - min(max(0, count), columns))
    return (halves.left, halves.rest)
  }

  /// Returns a rectangle of at most `size` in the middle of this one.
  package func centered(_ size: CellSize) -> CellRect {
    let columns = min(size.columns, self.columns)
    let rows = min(size.rows, self.rows)
    return CellRect(
      column: minColumn + (self.columns - columns) / 2, row: minRow + (self.rows - rows) / 2,
      columns: columns, rows: rows)
  }

  /// Returns one row of this rectangle, counted from its top; empty where there is none.
  package func row(_ index: Int) -> CellRect {
    CellRect(column: minColumn, row: minRow + index, columns: columns, rows: 1)
      .intersection(self)
  }
}

/// Position of a cell: column from the left and row from the top, both from 0.
package struct CellPoint: Hashable, Sendable {
  package var column: Int
  package var row: Int

  package static let zero = CellPoint(column: 0, row: 0)

  package init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }

  /// Returns this position moved; negative distances move left and up.
  package func moved(columns: Int = 0, rows: Int = 0) -> CellPoint {
    CellPoint(column: column + columns, row: row + rows)
  }
}

/// Width and height in cells; never negative.
package struct CellSize: Hashable, Sendable {
  package let columns: Int
  package let rows: Int

  package static let zero = CellSize(columns: 0, rows: 0)

  /// Creates a size; negative values, as subtraction in a layout may yield, become 0.
  package init(columns: Int, rows: Int) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
  }

  package var isEmpty: Bool { columns == 0 || rows == 0 }

  package var count: Int { columns * rows }
}

/// Size of a cell in pixels.
package struct CellPixels: Hashable, Sendable {
  package let width: Int
  package let height: Int

  /// Cell size of a VT340; used where the terminal reports none.
  package static let typical = CellPixels(width: 10, height: 20)

  /// Returns nil for less than 2 × 4 or more than 256 × 512 pixels.
  package init?(checked width: Int, _ height: Int) {
    guard 2...256 ~= width, 4...512 ~= height else { return nil }
    self.init(width: width, height: height)
  }

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}
