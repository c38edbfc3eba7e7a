extension Canvas {
  /// From the first to the last column that differs in a row.
  ///
  /// It never begins with the right half of a wide glyph: its left half would be the same, and then so
  /// would the right one.
  ///
  /// - Parameters:
  ///   - row: the row to compare.
  ///   - other: a canvas of the same size; nil means that everything differs.
  /// - Returns: the columns, or nil where the rows are equal.
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
}
