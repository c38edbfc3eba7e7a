internal import CNcurses
import Glibc

/// Turns cells into those of ncurses.
struct CellEncoder {
  let isUTF8: Bool
  let canStrikeThrough: Bool
  /// Whether bright colours are the others in bold, as on terminals with eight.
  let brightensByBold: Bool

  /// - Parameters:
  ///   - cell: one that is not a right half.
  ///   - pair: the number of its colours.
  ///   - append: takes one cell of ncurses for a glyph, or blanks for one whose width the C library
  ///     sees otherwise: it would shift all that follows.
  func encode(_ cell: Cell, pair: Int32, _ append: (cchar_t) -> Void) {
    let glyph =
      isUTF8 ? cell.glyph : Glyph(value: ASCIIForm.scalarValue(for: cell.glyph.scalarValue(at: 0)))
    let columns = isUTF8 ? Int(cell.columns) : 1
    let attributes = attributes(of: cell.style)
    guard Self.width(of: glyph) == columns else {
      for _ in 0..<cell.columns { append(Self.cell(.space, attributes, pair)) }
      return
    }
    append(Self.cell(glyph, attributes, pair))
    if columns < cell.columns { append(Self.cell(.space, attributes, pair)) }
  }

  private func attributes(of style: Style) -> attr_t {
    var set = style.attributes
    if brightensByBold, style.foreground.fallback?.isBright == true { set.insert(.bold) }
    guard !set.isEmpty else { return 0 }
    var attributes: attr_t = 0
    if set.contains(.bold) { attributes |= cncurses_bold }
    if set.contains(.dim) { attributes |= cncurses_dim }
    if set.contains(.reverse) { attributes |= cncurses_reverse }
    if set.contains(.underline) { attributes |= cncurses_underline }
    if set.contains(.strikethrough), canStrikeThrough { attributes |= cncurses_protect }
    return attributes
  }

  private static func width(of glyph: Glyph) -> Int {
    let value = glyph.scalarValue(at: 0)
    return 0x20..<0x7F ~= value ? 1 : Int(wcwidth(wchar_t(value)))
  }

  private static func cell(_ glyph: Glyph, _ attributes: attr_t, _ pair: Int32) -> cchar_t {
    var cell = cchar_t()
    withUnsafeTemporaryAllocation(of: wchar_t.self, capacity: Glyph.maximumScalars + 1) { text in
      for index in 0..<Glyph.maximumScalars { text[index] = wchar_t(glyph.scalarValue(at: index)) }
      text[Glyph.maximumScalars] = 0
      _ = cncurses_set_cell(&cell, text.baseAddress, attributes, pair)
    }
    return cell
  }
}
