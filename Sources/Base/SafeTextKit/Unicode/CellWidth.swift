internal import CUtf8proc

/// Returns the width of a scalar in terminal cells: 0 for combining marks, else 1 or 2.
///
/// This is the only width table of the program. It agrees with `wcwidth` of the C library, which
/// ncurses uses, on everything that safe text can contain; East Asian ambiguous characters are 1.
package func cellWidth(of scalar: Unicode.Scalar) -> Int {
  if let width = scalar.plainWidth { return width }
  let width = Int(utf8proc_charwidth(scalar.codePoint))
  // Spacing marks take a cell, although they belong to the previous letter.
  return width == 0 && scalar.category == UTF8PROC_CATEGORY_MC ? 1 : width
}

extension Unicode.Scalar {
  /// Width of a scalar that is drawn unchanged and does not compose with others of this set; nil for
  /// any other.
  ///
  /// Text of only such scalars - nearly all Korean and English text - is already safe and in NFC.
  var plainWidth: Int? {
    switch value {
    case 0x20...0x7E, 0xA1...0xAC, 0xAE...0x2FF, 0x2010...0x2027: 1
    case 0xAC00...0xD7A3, 0x3131...0x3163, 0x4E00...0x9FFF, 0x3001...0x3011: 2
    default: nil
    }
  }

  var codePoint: utf8proc_int32_t { utf8proc_int32_t(bitPattern: value) }

  var category: utf8proc_category_t { utf8proc_category(codePoint) }
}
