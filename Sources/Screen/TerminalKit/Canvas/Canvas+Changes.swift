// Comparison of two canvases of one size; the terminal shows the older one.
extension Canvas {
  /// Returns the columns from the first to the last that differ in a row from a canvas of the same
  /// size; nil where the rows are equal, and the whole row where `other` is nil.
  ///
  /// The range never begins with the right half of a wide glyph: both halves are equal or both differ.
  func changedColumns(ofRow row: Int, since other: Canvas?) -> Range<Int>? {
    guard let other else { return 0..<size.columns }
    let start = row * size.columns
    return cells.withUnsafeBufferPointer { new in
      other.cells.withUnsafeBufferPointer { old in
        var first = start
        var end = start + size.columns
        while first < end, new[first] == old[first] { first += 1 }
        guard first < end else { return nil }
        while new[end - 1] == old[end - 1] { end -= 1 }
        return first - start..<end - start
      }
    }
  }

  /// Number of cells of a panel that equal those `rows` rows below in an older canvas of the same size.
  func equalCells(movedBy rows: Int, of old: Canvas, in panel: CellRect) -> Int {
    let distance = rows * size.columns
    let places = max(panel.minRow, panel.minRow - rows)..<min(panel.maxRow, panel.maxRow - rows)
    return cells.withUnsafeBufferPointer { new in
      old.cells.withUnsafeBufferPointer { old in
        places.reduce(0) { count, row in
          indices(panel.minColumn..<panel.maxColumn, ofRow: row)
            .reduce(count) { $0 + (new[$1] == old[$1 + distance] ? 1 : 0) }
        }
      }
    }
  }

  /// Whether an edge of a panel cuts a wide glyph.
  func isCut(by panel: CellRect) -> Bool {
    (panel.minRow..<panel.maxRow).contains { row in
      [panel.minColumn, panel.maxColumn].contains {
        $0 < size.columns && cells[row * size.columns + $0].isRightHalf
      }
    }
  }

  /// Returns the canvas after the terminal has executed a scroll; blank rows come in.
  func applying(_ move: MarginScroll) -> Canvas {
    var moved = self
    for row in move.panel.minRow..<move.panel.maxRow {
      let source = row + move.rows
      let isInside = move.panel.minRow..<move.panel.maxRow ~= source
      let columns = move.panel.minColumn..<move.panel.maxColumn
      moved.replace(columns, ofRow: row, with: isInside ? self : nil, row: source)
    }
    return moved
  }

  /// Returns an intermediate canvas for about `budget` bytes: the cheapest rows first, so text comes
  /// before pictures in characters, and at least one row even beyond the budget.
  ///
  /// - Parameters:
  ///   - old: the canvas that the terminal shows, of the same size.
  ///   - budget: maximum estimated bytes.
  /// - Returns: this canvas where all of it fits the budget.
  func step(from old: Canvas, budget: Int) -> Canvas {
    let costs = (0..<size.rows).map { (row: $0, bytes: cost(ofRow: $0, since: old)) }
      .filter { $0.bytes > 0 }.sorted { ($0.bytes, $0.row) < ($1.bytes, $1.row) }
    guard costs.reduce(0, { $0 + $1.bytes }) > budget else { return self }
    var step = self
    var rest = budget
    for (index, cost) in costs.enumerated() {
      rest -= cost.bytes
      guard rest < 0, index > 0 else { continue }
      step.replace(0..<size.columns, ofRow: cost.row, with: old, row: cost.row)
    }
    step.keepPictures(of: old)
    return step
  }

  /// Estimated bytes that redraw a row, most of them for changes of colour.
  private func cost(ofRow row: Int, since other: Canvas) -> Int {
    guard let columns = changedColumns(ofRow: row, since: other) else { return 0 }
    var cost = 8
    var before = Style.plain
    for index in indices(columns, ofRow: row) {
      let style = cells[index].style
      cost += 3
      if style.foreground != before.foreground { cost += 18 }
      if style.background != before.background { cost += 18 }
      before = style
    }
    return cost
  }
}
