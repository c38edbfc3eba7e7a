/// Chooser of tiles: finds for each cell the block character and two colours with the least squared
/// error.
///
/// It tries every character. The error of a part is least at its mean colour, and two colours reduce
/// the error of one by `|distance|² · all / (foreground · background)`, where `distance` is the sum of
/// the foreground pixels' differences from the mean of all; so no error has to be summed.
struct TileChooser {
  private let divisions: [CellDivision]
  private let colors: PictureColors

  private typealias Tile = BlockArt.Tile

  init(symbols: PictureSymbols, colors: PictureColors) {
    divisions = symbols.divisions
    self.colors = colors
  }

  func tiles(for grid: DotGrid, size: CellSize) -> [BlockArt.Tile] {
    var tiles: [Tile] = []
    tiles.reserveCapacity(size.count)
    var sums = CellSums()
    grid.dots.withUnsafeBufferPointer { pixels in
      for row in 0..<size.rows {
        var before: Tile?
        for column in 0..<size.columns {
          let start = row * CellDivision.rows * grid.columns + column * CellDivision.columns
          sums.load(pixels, start: start, stride: grid.columns)
          let tile = tile(for: &sums, after: before)
          tiles.append(tile)
          before = tile
        }
      }
    }
    return tiles
  }

  private func tile(for sums: inout CellSums, after before: Tile?) -> Tile {
    var best = (
      step: CellDivision.Step?.none, gain: colors.worthSplitting, distance: SIMD4<Float>.zero
    )
    for division in divisions {
      sums.divide(by: division.shape)
      var distance = SIMD4<Float>.zero
      for step in division.steps {
        distance += sums.distances[step.dot] * step.sign
        let gain = (distance * distance).sum() * step.weight
        if gain > best.gain { best = (step, gain, distance) }
      }
    }
    guard let step = best.step else {
      let color = colors.color(sums.mean)
      return Tile(
        scalarValue: 0x20, foreground: before?.foreground ?? color, background: color)
    }
    let foreground = colors.color(sums.mean + best.distance / step.area)
    let background = colors.color(sums.mean - best.distance / (CellDivision.area - step.area))
    if foreground == background {
      return Tile(
        scalarValue: 0x20, foreground: before?.foreground ?? foreground, background: background)
    }
    // A colour that the previous tile has in the same role costs no bytes.
    if let before, step.opposite != 0,
      foreground == before.background || background == before.foreground
    {
      return Tile(scalarValue: step.opposite, foreground: background, background: foreground)
    }
    return Tile(scalarValue: step.character, foreground: foreground, background: background)
  }
}

/// Sums of the pixels of one cell, and of the dots into which it is divided.
private struct CellSums {
  private(set) var mean = SIMD4<Float>.zero
  /// Sum of each dot's differences from the mean.
  private(set) var distances = InlineArray<8, SIMD4<Float>>(repeating: .zero)
  /// Sums of the left and of the right half from the top to each border between rows.
  private var left = InlineArray<9, SIMD4<Float>>(repeating: .zero)
  private var right = InlineArray<9, SIMD4<Float>>(repeating: .zero)
  /// Sums of the columns.
  private var columns = InlineArray<4, SIMD4<Float>>(repeating: .zero)

  /// Sums the pixels of a cell that begins at `start` of rows of `stride` pixels.
  mutating func load(_ pixels: UnsafeBufferPointer<SIMD4<Float>>, start: Int, stride: Int) {
    var start = start
    columns = InlineArray(repeating: .zero)
    for line in 0..<CellDivision.rows {
      let (first, second) = (pixels[start], pixels[start + 1])
      let (third, fourth) = (pixels[start + 2], pixels[start + 3])
      columns[0] += first
      columns[1] += second
      columns[2] += third
      columns[3] += fourth
      left[line + 1] = left[line] + (first + second)
      right[line + 1] = right[line] + (third + fourth)
      start += stride
    }
    mean = (left[CellDivision.rows] + right[CellDivision.rows]) / CellDivision.area
  }

  mutating func divide(by shape: CellDivision.Shape) {
    switch shape {
    case .grid(let rows):
      let area = mean * (CellDivision.area / Float(2 * rows))
      var above = (left: SIMD4<Float>.zero, right: SIMD4<Float>.zero)
      for row in 0..<rows {
        let border = (row + 1) * CellDivision.rows
        let (line, part) = (border / rows, Float(border % rows) / Float(rows))
        var below = (left: left[line], right: right[line])
        if part > 0 {
          below.left += (left[line + 1] - left[line]) * part
          below.right += (right[line + 1] - right[line]) * part
        }
        distances[row * 2] = below.left - above.left - area
        distances[row * 2 + 1] = below.right - above.right - area
        above = below
      }
    case .rows:
      let area = mean * Float(CellDivision.columns)
      for row in 0..<CellDivision.rows {
        distances[row] = left[row + 1] - left[row] + right[row + 1] - right[row] - area
      }
    case .columns:
      for column in columns.indices {
        distances[column] = columns[column] - mean * Float(CellDivision.rows)
      }
    }
  }
}
