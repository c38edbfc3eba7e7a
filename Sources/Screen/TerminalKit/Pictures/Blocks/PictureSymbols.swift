/// Block characters that stand for the dots of a picture.
package enum PictureSymbols: String, CaseIterable, Hashable, Sendable {
  /// Two dots a cell, one above the other; in every font.
  case half
  /// Two by two dots a cell; in nearly every font.
  case quadrant
  /// Two by three dots a cell (Unicode 13); newer terminals draw them without a font.
  case sextant

  /// Dots of one cell, side by side and one above the other.
  var dots: (columns: Int, rows: Int) {
    switch self {
    case .half: (1, 2)
    case .quadrant: (2, 2)
    case .sextant: (2, 3)
    }
  }

  /// The pixels that a picture should have for each cell it covers.
  ///
  /// They are square where a cell is twice as high as wide, and more of them would change little.
  package var pixelsPerCell: (width: Int, height: Int) {
    switch self {
    case .half: (1, 2)
    case .quadrant: (2, 4)
    case .sextant: (4, 8)
    }
  }

  /// The character that shows the dots of `pattern` in the foreground colour; a space where no dot
  /// is set.
  ///
  /// The pattern has one bit a dot, row by row from the top left, the lowest bit first.
  func scalarValue(for pattern: Int) -> UInt32 {
    switch self {
    case .half: Self.halves[pattern]
    case .quadrant: Self.quadrants[pattern]
    case .sextant: Self.sextant(pattern)
    }
  }

  private static let halves: [UInt32] = " ▀▄█".unicodeScalars.map(\.value)
  private static let quadrants: [UInt32] = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█".unicodeScalars.map(\.value)

  /// The sextants begin at U+1FB00, without those that older block characters already were.
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
