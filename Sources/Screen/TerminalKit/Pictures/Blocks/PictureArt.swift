/// Picture as cells: each a block character in the two colours that come nearest to its pixels.
///
/// Making one takes no lock and touches no terminal, so it may be done on any queue.
package struct PictureArt: Hashable, Sendable {
  package let size: CellSize
  /// Rows top to bottom, `size.columns` tiles each.
  let tiles: [Tile]

  struct Tile: Hashable, Sendable {
    let scalarValue: UInt32
    let foreground: RGB
    let background: RGB
  }

  /// Draws pixels with symbols, stretched to the cells to cover.
  ///
  /// - Parameters:
  ///   - pixels: red, green, blue, alpha (not premultiplied); rows top to bottom without padding.
  ///   - width: pixels in a row.
  ///   - height: rows of pixels.
  ///   - size: the cells to cover.
  ///   - symbols: what to draw with; `symbols.pixelsPerCell` says how many pixels are of use.
  ///   - background: what shows through transparent pixels.
  package init(
    pixels: [UInt8], width: Int, height: Int, size: CellSize, symbols: PictureSymbols = .quadrant,
    background: RGB = .black
  ) {
    precondition(pixels.count == width * height * 4, "pixels do not fill the picture")
    self.size = width > 0 && height > 0 ? size : .zero
    let dots = symbols.dots
    let grid = DotGrid(
      pixels: pixels, width: width, height: height, columns: self.size.columns * dots.columns,
      rows: self.size.rows * dots.rows, background: background)
    tiles = TileChooser(symbols: symbols).tiles(for: grid, size: self.size)
  }

  /// Memory that the picture takes.
  package var byteCount: Int { tiles.count * MemoryLayout<Tile>.stride }
}

extension Canvas {
  /// Draws a picture with its top left corner at `point`, clipped like all else.
  package mutating func draw(_ art: PictureArt, at point: CellPoint) {
    for row in 0..<art.size.rows {
      for column in 0..<art.size.columns {
        let tile = art.tiles[row * art.size.columns + column]
        let style = Style(foreground: .rgb(tile.foreground), background: .rgb(tile.background))
        let place = point.moved(columns: column, rows: row)
        put(Glyph(value: tile.scalarValue), columns: 1, at: place, style: style)
      }
    }
  }
}

/// Chooser of tiles: finds for each cell the block character and the two colours with the least
/// squared error.
///
/// Every way to part the dots in two is tried. The error of a part is least at its mean colour, and
/// two colours leave less than one by `|distance|² · all / (set · others)`, where `distance` is the
/// sum of the set dots' distances from the mean of all: no error is ever summed up.
private struct TileChooser {
  private let symbols: PictureSymbols
  private let steps: [Step]

  private typealias Tile = PictureArt.Tile

  init(symbols: PictureSymbols) {
    self.symbols = symbols
    steps = Step.all(dots: symbols.dots.columns * symbols.dots.rows)
  }

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
    return tile(for: dots, pattern: best.pattern, total: total)
  }

  /// A step through the patterns in Gray code, in each of which one dot changes sides.
  private struct Step {
    let dot: Int
    /// 1 where the dot comes to the foreground, -1 where it leaves it.
    let sign: Float
    /// All dots over those in the foreground and those in the background.
    let weight: Float

    static func all(dots count: Int) -> [Step] {
      var pattern = 0
      return (1..<1 << (count - 1)).map { number in
        let dot = number.trailingZeroBitCount
        pattern ^= 1 << dot
        let set = pattern.nonzeroBitCount
        return Step(
          dot: dot, sign: pattern & 1 << dot == 0 ? -1 : 1,
          weight: Float(count) / Float(set * (count - set)))
      }
    }
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

/// Grid of the dots that a terminal can show, each the mean colour of the pixels under it.
private struct DotGrid {
  let columns: Int
  let rows: Int
  /// Rows top to bottom; red, green and blue are 0 to 255 each, and the fourth channel is 0.
  private(set) var dots: [SIMD4<Float>]

  /// Scales pixels of red, green, blue, alpha, rows top to bottom, to so many columns and rows of
  /// dots; `background` shows through transparent ones.
  init(
    pixels: [UInt8], width: Int, height: Int, columns: Int, rows: Int, background: RGB
  ) {
    self.columns = columns
    self.rows = rows
    dots = [SIMD4<Float>](repeating: .zero, count: columns * rows)
    guard columns > 0, rows > 0 else { return }
    let ground = SIMD4(Float(background.red), Float(background.green), Float(background.blue), 0)
    let spans = (0..<columns).map { Span(of: $0, among: columns, over: width) }
    pixels.withUnsafeBytes { bytes in
      let pixels = bytes.bindMemory(to: SIMD4<UInt8>.self)
      for row in 0..<rows {
        let lines = Span(of: row, among: rows, over: height)
        for column in 0..<columns {
          dots[row * columns + column] = Self.mean(
            of: pixels, stride: width, lines: lines, span: spans[column], over: ground)
        }
      }
    }
  }

  /// Pixels under one dot in one direction, the outermost ones in part.
  private struct Span {
    private let first: Int
    private let last: Int
    private let firstWeight: Float
    /// Of no meaning where `last` is `first`.
    private let lastWeight: Float
    /// The sum of all weights.
    let length: Float

    init(of dot: Int, among dots: Int, over pixels: Int) {
      // In units of 1 / dots of a pixel, so that all borders are whole numbers.
      let start = dot * pixels
      let end = start + pixels
      first = start / dots
      last = (end - 1) / dots
      length = Float(pixels) / Float(dots)
      firstWeight = first == last ? length : Float((first + 1) * dots - start) / Float(dots)
      lastWeight = Float(end - last * dots) / Float(dots)
    }

    @inline(__always)
    func sum(_ value: (Int) -> SIMD4<Float>) -> SIMD4<Float> {
      let sum = value(first) * firstWeight
      guard first < last else { return sum }
      return (first + 1..<last).reduce(sum + value(last) * lastWeight) { $0 + value($1) }
    }
  }

  private static func mean(
    of pixels: UnsafeBufferPointer<SIMD4<UInt8>>, stride: Int, lines: Span, span: Span,
    over ground: SIMD4<Float>
  ) -> SIMD4<Float> {
    var sum = lines.sum { line in
      span.sum { pixel in
        let bytes = pixels[line * stride + pixel]
        let value = SIMD4<Float>(bytes)
        return bytes.w == 255 ? value : ground + (value - ground) * (value.w / 255)
      }
    }
    sum.w = 0
    return sum / (lines.length * span.length)
  }
}

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
