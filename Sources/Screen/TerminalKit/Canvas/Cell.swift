/// Cell of the screen: a glyph with its style, or the right half of a wide glyph.
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

  /// Returns this cell in the preceding cell's style where that is invisible: a blank on the same
  /// coloured background shows no foreground.
  ///
  /// This saves the terminal two changes of colour. On the terminal's own background a blank stays as
  /// it is, because such blanks are erased by the line.
  func lookingAlike(_ style: Style) -> Cell {
    guard glyph == .space, style.background == self.style.background,
      !style.background.isTerminalDefault, style.showsNothingInBlanks,
      self.style.showsNothingInBlanks
    else { return self }
    return restyled(style)
  }

  /// Returns the glyph in another style.
  func restyled(_ style: Style) -> Cell {
    Cell(glyph, style: style, columns: columns)
  }
}
