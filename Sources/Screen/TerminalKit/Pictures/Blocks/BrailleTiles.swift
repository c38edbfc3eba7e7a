/// Encoder of pictures as braille: dots lighter than a dark background are set, or those darker than a
/// light one.
struct BrailleTiles {
  let colors: PictureColors
  /// Whether the background is light, so that dots are dark.
  let isGroundLight: Bool

  /// Dots of a cell.
  static let columns = 2
  static let rows = 4

  func tiles(for grid: DotGrid, size: CellSize) -> [BlockArt.Tile] {
    let inks = inks(of: grid)
    return (0..<size.count).map { index in
      tile(for: grid, inks, column: index % size.columns, row: index / size.columns)
    }
  }

  private func tile(
    for grid: DotGrid, _ inks: [Bool], column: Int, row: Int
  ) -> BlockArt.Tile {
    var bits: UInt32 = 0
    var sum = SIMD4<Float>.zero
    for (dot, bit) in Self.bits.enumerated() {
      let line = row * Self.rows + dot / Self.columns
      let position = line * grid.columns + column * Self.columns + dot % Self.columns
      guard inks[position] else { continue }
      bits |= bit
      sum += grid.dots[position]
    }
    let mean = sum / Float(max(1, bits.nonzeroBitCount))
    return BlockArt.Tile(
      scalarValue: bits == 0 ? 0x20 : 0x2800 + bits,
      foreground: bits == 0 ? .terminalDefault : colors.color(mean),
      background: .terminalDefault)
  }

  /// Bits of the dots in the characters from U+2800, row by row; they go down the left column, down the
  /// right one, then along the last row, which was added later.
  private static let bits: [UInt32] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]

  /// Returns which dots are set, by ordered dithering of each dot's relative lightness.
  private func inks(of grid: DotGrid) -> [Bool] {
    let lumas = Self.sharpened(grid)
    let (low, high) = Self.range(of: lumas)
    return lumas.indices.map { index in
      let rank = OrderedDither.rank(column: index % grid.columns, row: index / grid.columns)
      let share = (lumas[index] - low) / max(1, high - low)
      return (isGroundLight ? 1 - share : share) * 16 > Float(rank) + 0.5
    }
  }

  /// Returns the lumas with increased contrast to their surroundings, because without colours only
  /// edges are visible.
  private static func sharpened(_ grid: DotGrid) -> [Float] {
    let lumas = grid.dots.map(Luma.value)
    return lumas.indices.map { index in
      let (column, row) = (index % grid.columns, index / grid.columns)
      var sum: Float = 0
      for line in max(0, row - reach)...min(grid.rows - 1, row + reach) {
        for position in max(0, column - reach)...min(grid.columns - 1, column + reach) {
          sum += lumas[line * grid.columns + position]
        }
      }
      let rows = min(grid.rows - 1, row + reach) - max(0, row - reach) + 1
      let columns = min(grid.columns - 1, column + reach) - max(0, column - reach) + 1
      return lumas[index] + (lumas[index] - sum / Float(rows * columns)) * sharpness
    }
  }

  /// Distance in dots, in each direction, of the surroundings.
  private static let reach = 2
  private static let sharpness: Float = 1.5

  /// Returns the lumas at 2 % and 98 %, so that outliers do not reduce the contrast.
  private static func range(of lumas: [Float]) -> (low: Float, high: Float) {
    guard !lumas.isEmpty else { return (0, 255) }
    let sorted = lumas.sorted()
    let margin = sorted.count / 50
    return (sorted[margin], sorted[sorted.count - 1 - margin])
  }
}
