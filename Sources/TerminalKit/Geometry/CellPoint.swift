/// A cell's place: columns count from the left and rows from the top, both from 0.
package struct CellPoint: Hashable, Sendable {
  package var column: Int
  package var row: Int

  package static let zero = CellPoint(column: 0, row: 0)

  package init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }

  /// This place, moved; negative distances move left and up.
  package func moved(columns: Int = 0, rows: Int = 0) -> CellPoint {
    CellPoint(column: column + columns, row: row + rows)
  }
}
