/// A width and a height in cells, neither of them negative.
package struct CellSize: Hashable, Sendable {
  package let columns: Int
  package let rows: Int

  package static let zero = CellSize(columns: 0, rows: 0)

  /// Negative counts, as subtraction in a layout may yield, become 0.
  package init(columns: Int, rows: Int) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
  }

  package var isEmpty: Bool { columns == 0 || rows == 0 }

  /// How many cells there are in all.
  package var count: Int { columns * rows }
}
