/// Ordered dithering (Bayer 1973): the position of a dot decides between two colours, so that an even
/// area gets an even texture, and a change at one position affects no other.
enum OrderedDither {
  /// Threshold ranks of a square of 4 × 4 dots.
  private static let order: [UInt8] = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]

  /// Returns the rank of a dot by its position, 0 to 15.
  static func rank(column: Int, row: Int) -> Int {
    Int(order[(row & 3) << 2 | column & 3])
  }

  /// Dithers dots of `width` × 4 pixels to `grays`, given from dark to light.
  static func grays(_ grays: [GrayLevel], _ grid: inout DotGrid, width: Int) {
    let mixes = GrayMixes(of: grays)
    let height = 4
    for row in 0..<grid.rows / height {
      for column in 0..<grid.columns / width {
        let pixels = (0..<height * width).map { pixel in
          (row * height + pixel / width) * grid.columns + column * width + pixel % width
        }
        let mean = pixels.reduce(.zero) { $0 + grid.dots[$1] } / Float(pixels.count)
        let level = Float(
          mixes.level(of: Luma.value(of: mean), rank: rank(column: column, row: row)).rawValue)
        for pixel in pixels { grid.dots[pixel] = SIMD4(level, level, level, 0) }
      }
    }
  }
}

/// Luma of a colour, 0 to 255 (ITU-R BT.709).
enum Luma {
  static func value(of color: SIMD4<Float>) -> Float {
    (color * SIMD4(0.2126, 0.7152, 0.0722, 0)).sum()
  }
}

/// Mixes of two greys in linear light; mixing encoded values would look too dark.
private struct GrayMixes {
  private struct Mix {
    let lower: GrayLevel
    let upper: GrayLevel
    /// Share of the upper grey, 0 to 1.
    let share: Double
  }

  /// Mixes by luma.
  private let mixes: [Mix]

  /// Creates the mixes of at least two greys, given from dark to light.
  init(of grays: [GrayLevel]) {
    mixes = (0..<256).map { value in
      let upper = max(1, grays.firstIndex { $0.rawValue >= value } ?? grays.count - 1)
      let (lower, lighter) = (grays[upper - 1], grays[upper])
      let (dark, bright) = (Self.light(lower.rawValue), Self.light(lighter.rawValue))
      let share = (Self.light(UInt8(value)) - dark) / (bright - dark)
      return Mix(lower: lower, upper: lighter, share: share)
    }
  }

  func level(of luma: Float, rank: Int) -> GrayLevel {
    let mix = mixes[Int(min(max(luma, 0), 255))]
    return Double(rank) + 0.5 < mix.share * 16 ? mix.upper : mix.lower
  }

  private static func light(_ value: UInt8) -> Double { RGB(value, value, value).luminance }
}
