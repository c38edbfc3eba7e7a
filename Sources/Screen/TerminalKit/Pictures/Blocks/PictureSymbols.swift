/// Characters that stand for the dots of a picture.
package enum PictureSymbols: String, CaseIterable, Hashable, Sendable {
  /// Two dots a cell, one above the other; in every font.
  case half
  /// Two by two dots a cell; in nearly every font.
  case quadrant
  /// Two by three dots a cell (Unicode 13); newer terminals draw them without a font.
  case sextant
  /// Two by four dots a cell, each of ink or not at all: pictures without a colour on the ground.
  case braille

  /// Dots of one cell, side by side and one above the other.
  var dots: (columns: Int, rows: Int) {
    switch self {
    case .half: (1, 2)
    case .quadrant: (2, 2)
    case .sextant: (2, 3)
    case .braille: (2, 4)
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
    case .braille: (2, 4)
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
    case .braille: Self.braille(pattern)
    }
  }

  private static let halves: [UInt32] = " ▀▄█".unicodeScalars.map(\.value)
  private static let quadrants: [UInt32] = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█".unicodeScalars.map(\.value)

  /// The braille patterns begin at U+2800, with a bit for each dot: down the left column, down the
  /// right one, and then the last row, which came later.
  private static func braille(_ pattern: Int) -> UInt32 {
    guard pattern != 0 else { return 0x20 }
    return brailleBits.enumerated().reduce(0x2800) { value, dot in
      pattern & 1 << dot.offset == 0 ? value : value | dot.element
    }
  }

  /// The bits of the dots, row by row.
  private static let brailleBits: [UInt32] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]

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
