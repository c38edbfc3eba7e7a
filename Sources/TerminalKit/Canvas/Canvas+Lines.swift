/// What a canvas shows as text: how tests compare a screen.
extension Canvas {
  /// The rows as strings: each as wide as the canvas, trailing blanks included.
  package var lines: [String] {
    (0..<size.rows).map { row in
      var line = ""
      for cell in cells[row * size.columns..<(row + 1) * size.columns] where !cell.isRightHalf {
        line += cell.glyph.string
      }
      return line
    }
  }
}
