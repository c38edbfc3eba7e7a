/// The dots of a block character in a cell of 2 columns and 6 rows, the finest grid that halves,
/// quarters and sixths of a cell have in common.
struct BlockCharacter {
  static let columns = 2
  static let rows = 6

  private let isSet: @Sendable (_ column: Int, _ row: Int) -> Bool

  /// None for characters that are no blocks.
  init?(_ text: String) {
    guard text.unicodeScalars.count == 1, let scalar = text.unicodeScalars.first else { return nil }
    switch scalar.value {
    case 0x20: isSet = { _, _ in false }
    case 0x2580: isSet = { _, row in row < 3 }
    case 0x2584: isSet = { _, row in row >= 3 }
    case 0x2588: isSet = { _, _ in true }
    case 0x258C: isSet = { column, _ in column == 0 }
    case 0x2590: isSet = { column, _ in column == 1 }
    case 0x2596...0x259F:
      // Quadrants from the top left, row by row, as Unicode names them.
      let masks = [0b0100, 0b1000, 0b0001, 0b1101, 0b1001, 0b0111, 0b1011, 0b0010, 0b0110, 0b1110]
      let mask = masks[Int(scalar.value - 0x2596)]
      isSet = { column, row in mask >> (row / 3 * 2 + column) & 1 == 1 }
    case 0x1FB00...0x1FB3B:
      // Sextants in binary order, without those that are older blocks.
      let index = Int(scalar.value - 0x1FB00) + 1
      let mask = index + (index >= 0b010101 ? 1 : 0) + (index + 1 >= 0b101010 ? 1 : 0)
      isSet = { column, row in mask >> (row / 2 * 2 + column) & 1 == 1 }
    default: return nil
    }
  }

  func contains(column: Int, row: Int) -> Bool { isSet(column, row) }
}
