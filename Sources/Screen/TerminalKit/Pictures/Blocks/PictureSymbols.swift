/// Character set for the dots of a picture.
package enum PictureSymbols: String, CaseIterable, Hashable, Sendable {
  /// Two dots per cell, one above the other; in every font.
  case half
  /// 2 × 2 dots per cell; in nearly every font.
  case quadrant
  /// 2 × 2 dots per cell without halves, which take two columns where ambiguous characters do.
  case corner
  /// 2 × 3 dots per cell (Unicode 13); newer terminals draw them without a font.
  case sextant
  /// 2 × 4 dots per cell, set or not, without a background colour.
  case braille

  /// Columns and rows of dots per cell.
  var dots: (columns: Int, rows: Int) {
    switch self {
    case .half: (1, 2)
    case .quadrant, .corner: (2, 2)
    case .sextant: (2, 3)
    case .braille: (2, 4)
    }
  }

  /// Pixels per cell that a picture should have.
  ///
  /// They are square for a cell twice as high as wide; more of them would change little.
  package var pixelsPerCell: (width: Int, height: Int) {
    switch self {
    case .half: (1, 2)
    case .quadrant, .corner: (2, 4)
    case .sextant: (4, 8)
    case .braille: (2, 4)
    }
  }

  /// Returns the character that shows the dots of `pattern` in the foreground colour; a space for none.
  ///
  /// The pattern has one bit per dot, row by row from the top left, lowest bit first.
  func scalarValue(for pattern: Int) -> UInt32 {
    switch self {
    case .half: Self.halves[pattern]
    case .quadrant, .corner: Self.quadrants[pattern]
    case .sextant: Self.sextant(pattern)
    case .braille: Self.braille(pattern)
    }
  }

  /// Whether the character of a pattern may be used, and that of the opposite pattern.
  func allows(_ pattern: Int) -> Bool {
    // The left half and the upper half; with the opposite they are all halves.
    self != .corner || ![0b0101, 0b0011, 0b1010, 0b1100].contains(pattern)
  }

  private static let halves: [UInt32] = " ▀▄█".unicodeScalars.map(\.value)
  private static let quadrants: [UInt32] = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█".unicodeScalars.map(\.value)

  /// Returns a braille pattern (from U+2800), whose bits go down the left column, down the right one,
  /// then along the last row, which was added later.
  private static func braille(_ pattern: Int) -> UInt32 {
    guard pattern != 0 else { return 0x20 }
    return brailleBits.enumerated().reduce(0x2800) { value, dot in
      pattern & 1 << dot.offset == 0 ? value : value | dot.element
    }
  }

  /// Unicode's bits of the dots, row by row.
  private static let brailleBits: [UInt32] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]

  /// Returns a sextant (from U+1FB00); patterns that are older block characters are left out of that
  /// range.
  private static func sextant(_ pattern: Int) -> UInt32 {
    switch pattern {
    case 0: 0x20
    case 0b01_0101: 0x258C
    case 0b10_1010: 0x2590
    case 0b11_1111: 0x2588
    case ..<0b01_0101: 0x1FB00 + UInt32(pattern) - 1
    case ..<0b10_1010: 0x1FB00 + UInt32(pattern) - 2
    default: 0x1FB00 + UInt32(pattern) - 3
    }
  }
}
