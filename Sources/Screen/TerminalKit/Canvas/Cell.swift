/// Cell of the screen: a glyph with its style, or the right half of the wide glyph beside it.
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

  static func rightHalf(style: Style) -> Cell {
    Cell(.empty, style: style, columns: 0)
  }

  var isRightHalf: Bool { columns == 0 }

  /// The cell in the style of the one before it, where nobody can see that: a blank on the same
  /// coloured ground shows no foreground.
  ///
  /// It saves the terminal two changes of colour. On the terminal's own ground a blank stays as it is,
  /// since those are erased by the line.
  func lookingAlike(_ style: Style) -> Cell {
    guard glyph == .space, style.background == self.style.background,
      !style.background.isTerminalDefault, style.showsNothingInBlanks,
      self.style.showsNothingInBlanks
    else { return self }
    return restyled(style)
  }

  /// The same glyph in another style.
  func restyled(_ style: Style) -> Cell {
    Cell(glyph, style: style, columns: columns)
  }
}
