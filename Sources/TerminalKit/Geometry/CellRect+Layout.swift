/// Cutting a rectangle into the parts of a layout.
extension CellRect {
  /// The rectangle without a margin on each side.
  package func inset(columns: Int = 0, rows: Int = 0) -> CellRect {
    inset(left: columns, top: rows, right: columns, bottom: rows)
  }

  /// The rectangle without a margin of its own on each side.
  package func inset(left: Int = 0, top: Int = 0, right: Int = 0, bottom: Int = 0) -> CellRect {
    CellRect(
      column: minColumn + min(left, columns), row: minRow + min(top, rows),
      columns: columns - left - right, rows: rows - top - bottom)
  }

  /// Cuts off `count` rows at the top, or all there are.
  package func splitTop(_ count: Int) -> (top: CellRect, rest: CellRect) {
    let count = min(max(0, count), rows)
    return (
      CellRect(origin: origin, size: CellSize(columns: columns, rows: count)),
      inset(top: count)
    )
  }

  /// Cuts off `count` rows at the bottom, or all there are.
  package func splitBottom(_ count: Int) -> (rest: CellRect, bottom: CellRect) {
    let halves = splitTop(rows - min(max(0, count), rows))
    return (halves.top, halves.rest)
  }

  /// Cuts off `count` columns at the left, or all there are.
  package func splitLeft(_ count: Int) -> (left: CellRect, rest: CellRect) {
    let count = min(max(0, count), columns)
    return (
      CellRect(origin: origin, size: CellSize(columns: count, rows: rows)),
      inset(left: count)
    )
  }

  /// Cuts off `count` columns at the right, or all there are.
  package func splitRight(_ count: Int) -> (rest: CellRect, right: CellRect) {
    let halves = splitLeft(columns - min(max(0, count), columns))
    return (halves.left, halves.rest)
  }

  /// A rectangle of at most `size` in the middle of this one.
  package func centered(_ size: CellSize) -> CellRect {
    let columns = min(size.columns, self.columns)
    let rows = min(size.rows, self.rows)
    return CellRect(
      column: minColumn + (self.columns - columns) / 2, row: minRow + (self.rows - rows) / 2,
      columns: columns, rows: rows)
  }

  /// One row of this rectangle, counted from its top; empty where there is none.
  package func row(_ index: Int) -> CellRect {
    CellRect(column: minColumn, row: minRow + index, columns: columns, rows: 1)
      .intersection(self)
  }
}
