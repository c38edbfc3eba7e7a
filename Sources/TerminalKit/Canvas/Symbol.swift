/// A glyph that the program draws of itself: one column wide on every terminal.
///
/// Foreign text never becomes a symbol; it goes through `SafeText`.
package struct Symbol: Hashable, Sendable, ExpressibleByUnicodeScalarLiteral {
  package let glyph: Glyph

  /// - Parameter scalar: a printable character of one column.
  package init(unicodeScalarLiteral scalar: Unicode.Scalar) {
    glyph = Glyph(scalar)
  }

  package static let space: Symbol = " "
  package static let ellipsis: Symbol = "…"
  package static let horizontalRule: Symbol = "─"
  package static let verticalRule: Symbol = "│"
  /// Stands at the left of the selected row.
  package static let selectionBar: Symbol = "▌"
}
