/// Chooser of tiles: finds for each cell the block character and two colours with the least squared
/// error.
///
/// It tries every division of the dots in two. The error of a part is least at its mean colour, and two
/// colours reduce the error of one by `|distance|² · all / (set · others)`, where `distance` is the sum
/// of the set dots' distances from the mean of all; so no error has to be summed.
struct TileChooser {
  private let symbols: PictureSymbols
  private let colors: PictureColors
  private let steps: [Step]

  private typealias Tile = BlockArt.Tile

  init(symbols: PictureSymbols, colors: PictureColors) {
    self.symbols = symbols
    self.colors = colors
    steps = Step.all(dots: symbols.dots.columns * symbols.dots.rows, where: symbols.allows)
  }

  func tiles(for grid: DotGrid, size: CellSize) -> [BlockArt.Tile] {
    let dots = symbols.dots
    let count = dots.columns * dots.rows
    return withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: count) { cell in
      var tiles: [Tile] = []
      tiles.reserveCapacity(size.count)
      for row in 0..<size.rows {
        var before: Tile?
        for column in 0..<size.columns {
          for dot in 0..<count {
            let line = row * dots.rows + dot / dots.columns
            let position = column * dots.columns + dot % dots.columns
            cell.initializeElement(at: dot, to: grid.dots[line * grid.columns + position])
          }
          let tile = tile(for: UnsafeBufferPointer(cell), after: before)
          tiles.append(tile)
          before = tile
        }
      }
      return tiles
    }
  }

  /// Returns the tile of one cell's dots; the last dot is always background, which halves the search.
  private func tile(
    for dots: UnsafeBufferPointer<SIMD4<Float>>, after before: Tile?
  ) -> Tile {
    let total = dots.reduce(.zero, +)
    let mean = total / Float(dots.count)
    var best = (pattern: 0, gain: Self.worthSplitting)
    var distance = SIMD4<Float>.zero
    var pattern = 0
    for step in steps {
      pattern ^= 1 << step.dot
      distance += (dots[step.dot] - mean) * step.sign
      let gain = (distance * distance).sum() * step.weight
      if gain > best.gain { best = (pattern, gain) }
    }
    return tile(for: dots, pattern: best.pattern, total: total, after: before)
  }

  /// Step through the patterns in Gray code, in which one dot changes.
  private struct Step {
    let dot: Int
    /// 1 where the dot becomes foreground, -1 where it becomes background.
    let sign: Float
    /// All dots divided by the product of foreground and background dots; 0 for a pattern that is left
    /// out.
    let weight: Float

    static func all(dots count: Int, where allows: (Int) -> Bool) -> [Step] {
      var pattern = 0
      return (1..<1 << (count - 1)).map { number in
        let dot = number.trailingZeroBitCount
        pattern ^= 1 << dot
        let set = pattern.nonzeroBitCount
        return Step(
          dot: dot, sign: pattern & 1 << dot == 0 ? -1 : 1,
          weight: allows(pattern) ? Float(count) / Float(set * (count - set)) : 0)
      }
    }
  }

  /// Minimum gain for two colours; below it they look alike, and one costs half the bytes.
  private static let worthSplitting: Float = 4

  private func tile(
    for dots: UnsafeBufferPointer<SIMD4<Float>>, pattern: Int, total: SIMD4<Float>,
    after before: Tile?
  ) -> Tile {
    var sum = SIMD4<Float>.zero
    for dot in dots.indices where pattern & 1 << dot != 0 { sum += dots[dot] }
    let set = pattern.nonzeroBitCount
    let background = colors.color((total - sum) / Float(dots.count - set))
    let foreground = set == 0 ? background : colors.color(sum / Float(set))
    guard let before, colors != .ink else { return tile(pattern, foreground, background) }
    // A colour that the previous tile has in the same role costs no bytes.
    if foreground == background { return tile(0, before.foreground, background) }
    guard foreground == before.background || background == before.foreground else {
      return tile(pattern, foreground, background)
    }
    return tile((1 << dots.count - 1) ^ pattern, background, foreground)
  }

  private func tile(_ pattern: Int, _ foreground: Color, _ background: Color) -> Tile {
    Tile(
      scalarValue: symbols.scalarValue(for: pattern), foreground: foreground,
      background: background)
  }
}
