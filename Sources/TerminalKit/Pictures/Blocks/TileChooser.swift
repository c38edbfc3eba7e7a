/// Chooses for each cell the block character and the two colours with the least squared error.
///
/// Every way to part the dots in two is tried. The error of a part is least at its mean colour, and
/// the sum over both is least where `|sum|² / count` over both parts is greatest: no square of a
/// difference is ever taken.
struct TileChooser {
  let symbols: PictureSymbols

  private typealias Tile = PictureArt.Tile

  func tiles(for grid: DotGrid, size: CellSize) -> [PictureArt.Tile] {
    let dots = symbols.dots
    let count = dots.columns * dots.rows
    return withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: count) { cell in
      var tiles: [Tile] = []
      tiles.reserveCapacity(size.count)
      for row in 0..<size.rows {
        for column in 0..<size.columns {
          for dot in 0..<count {
            let line = row * dots.rows + dot / dots.columns
            let place = column * dots.columns + dot % dots.columns
            cell.initializeElement(at: dot, to: grid.dots[line * grid.columns + place])
          }
          tiles.append(tile(for: UnsafeBufferPointer(cell)))
        }
      }
      return tiles
    }
  }

  /// The dots of one cell as a tile; the last dot is always background, which halves the search.
  private func tile(for dots: UnsafeBufferPointer<SIMD4<Float>>) -> Tile {
    let total = dots.reduce(.zero, +)
    var best = (pattern: 0, score: (total * total).sum() / Float(dots.count) + Self.worthSplitting)
    var foreground = SIMD4<Float>.zero
    var pattern = 0
    for step in 1..<1 << (dots.count - 1) {
      // Gray code: one dot changes sides at each step.
      let dot = step.trailingZeroBitCount
      pattern ^= 1 << dot
      foreground += pattern & 1 << dot == 0 ? -dots[dot] : dots[dot]
      let background = total - foreground
      let set = pattern.nonzeroBitCount
      let score =
        (foreground * foreground).sum() / Float(set)
        + (background * background).sum() / Float(dots.count - set)
      if score > best.score { best = (pattern, score) }
    }
    return tile(for: dots, pattern: best.pattern, total: total)
  }

  /// Below this gain no eye sees two colours, and one costs half the bytes.
  private static let worthSplitting: Float = 4

  private func tile(
    for dots: UnsafeBufferPointer<SIMD4<Float>>, pattern: Int, total: SIMD4<Float>
  ) -> Tile {
    var sum = SIMD4<Float>.zero
    for dot in dots.indices where pattern & 1 << dot != 0 { sum += dots[dot] }
    let set = pattern.nonzeroBitCount
    let background = Self.color((total - sum) / Float(dots.count - set))
    return Tile(
      scalarValue: symbols.scalarValue(for: pattern),
      foreground: set == 0 ? background : Self.color(sum / Float(set)), background: background)
  }

  private static func color(_ mean: SIMD4<Float>) -> RGB {
    // One by one: the conversion of a whole vector is a slow call.
    let rounded = mean + 0.5
    return RGB(UInt8(rounded.x), UInt8(rounded.y), UInt8(rounded.z))
  }
}
