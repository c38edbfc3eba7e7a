internal import CNcurses
import Glibc
internal import SafeTextKit

/// Encoder of cells to those of ncurses.
struct CellEncoder {
  let isUTF8: Bool
  /// Whether symbols become ASCII while text stays unchanged.
  var hasASCIISymbols = false
  /// Whether East Asian ambiguous characters, which take two columns on this terminal, become narrow.
  var replacesAmbiguous = false
  let canStrikeThrough: Bool
  /// Whether bold makes bright colours, as on terminals with eight.
  let brightensByBold: Bool

  init(_ capabilities: TerminalCapabilities) {
    isUTF8 = capabilities.isUTF8
    canStrikeThrough = capabilities.canStrikeThrough
    brightensByBold = capabilities.colorDepth == .ansi8
  }

  /// Encodes a cell other than a right half, with a colour pair.
  ///
  /// `append` receives one ncurses cell per glyph, or blanks where the C library's width differs, which
  /// would shift all cells after it.
  func encode(_ cell: Cell, pair: Int32, _ append: (cchar_t) -> Void) {
    let glyph = form(of: cell.glyph)
    let columns = isUTF8 ? Int(cell.columns) : 1
    let attributes = attributes(of: cell.style)
    guard Self.width(of: glyph) == columns else {
      for _ in 0..<cell.columns { append(Self.cell(.space, attributes, pair)) }
      return
    }
    append(Self.cell(glyph, attributes, pair))
    if columns < cell.columns { append(Self.cell(.space, attributes, pair)) }
  }

  /// Returns the glyph that is shown for another in this encoding.
  func form(of glyph: Glyph) -> Glyph {
    let value = glyph.scalarValue(at: 0)
    guard isUTF8 else { return Glyph(value: ASCIIForm.ofAny(value)) }
    if replacesAmbiguous, Unicode.Scalar(value)?.hasAmbiguousWidth == true {
      return Glyph(value: ASCIIForm.ofAmbiguous(value))
    }
    return hasASCIISymbols ? ASCIIForm.ofSymbol(value).map(Glyph.init) ?? glyph : glyph
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
    // Marks links with an attribute that has no effect, so that a cell that replaces a link is
    // rewritten even where it looks the same, and thereby loses the link.
    if set.contains(.link) { attributes |= cncurses_underline | cncurses_horizontal }
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

/// ASCII substitutes of other characters.
private enum ASCIIForm {
  /// Returns the substitute where only ASCII can be shown; `?` where there is none.
  static func ofAny(_ value: UInt32) -> UInt32 {
    if value < 0x80 { return value }
    let form: Unicode.Scalar =
      switch value {
      case 0x20A9: "W"
      case 0x00A0: " "
      default: ofSymbol(value) ?? "?"
      }
    return form.value
  }

  /// Returns the substitute of an ambiguous character: that of the symbol, or the letter without its
  /// marks; `?` where there is none.
  static func ofAmbiguous(_ value: UInt32) -> UInt32 {
    if let symbol = ofSymbol(value) { return symbol.value }
    let letter = Unicode.Scalar(value).flatMap { String($0).folded.unicodeScalars.first }
    guard let letter, letter.value < 0x80 else { return UInt32(UInt8(ascii: "?")) }
    return letter.value
  }

  /// Returns the substitute of a symbol; nil for letters and all other text.
  static func ofSymbol(_ value: UInt32) -> Unicode.Scalar? {
    switch value {
    case 0x2500, 0x2501, 0x2504, 0x2505, 0x2508, 0x2509, 0x254C, 0x254D, 0x2550, 0x2013, 0x2014:
      "-"
    case 0x2502, 0x2503, 0x2506, 0x2507, 0x250A, 0x250B, 0x254E, 0x254F, 0x2551, 0x258C, 0x2590:
      "|"
    case 0x250C...0x254B, 0x2552...0x2570: "+"
    case 0x2580...0x259F, 0x1FB00...0x1FB3B: "#"
    case 0x25CF, 0x25A0, 0x2022, 0x00B7, 0x2605, 0x25C6: "*"
    case 0x25CB, 0x25A1, 0x2606: "o"
    case 0x2026: "~"
    case 0x2192, 0x25B8, 0x203A, 0x25B6: ">"
    case 0x2190, 0x25C2, 0x2039, 0x25C0: "<"
    case 0x2191, 0x25B4, 0x25B2: "^"
    case 0x2193, 0x25BE, 0x25BC: "v"
    case 0x2715, 0x2717, 0x00D7: "x"
    case 0x2018, 0x2019: "'"
    case 0x201C, 0x201D: "\""
    default: nil
    }
  }
}
