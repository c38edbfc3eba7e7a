/// One place of the screen: a glyph with its style, or the right half of the wide glyph beside it.
package struct Cell: Hashable, Sendable {
  package let glyph: Glyph
  package let style: Style
  /// Columns that the glyph covers: 1 or 2; 0 for the right half of a wide one.
  package let columns: Int8

  package static let blank = Cell(.space, style: .plain)

  package init(_ glyph: Glyph, style: Style, columns: Int8 = 1) {
    self.glyph = glyph
    self.style = style
    self.columns = columns
  }

  package static func rightHalf(style: Style) -> Cell {
    Cell(.empty, style: style, columns: 0)
  }

  package var isRightHalf: Bool { columns == 0 }

  /// The same glyph in another style.
  package func restyled(_ style: Style) -> Cell {
    Cell(glyph, style: style, columns: columns)
  }
}
