/// Ordered dithering (Bayer 1973): the position of a dot decides between two colours, so that an even
/// area gets an even texture, and a change at one position affects no other.
enum OrderedDither {
  /// Threshold ranks of a square of 4 × 4 dots.
  private static let order: [UInt8] = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]

  /// Returns the rank of a dot by its position, 0 to 15.
  static func rank(column: Int, row: Int) -> Int {
    Int(order[(row & 3) << 2 | column & 3])
  }

  /// Dithers dots to the fixed colours of xterm's 256.
  static func palette(_ grid: inout DotGrid) {
    var mixes = PaletteMixes()
    let columns = grid.columns
    grid.dots.withUnsafeMutableBufferPointer { dots in
      var (column, row) = (0, 0)
      for index in dots.indices {
        dots[index] = mixes.color(for: dots[index], rank: rank(column: column, row: row))
        column += 1
        if column == columns { (column, row) = (0, row + 1) }
      }
    }
  }

  /// Dithers dots to `grays`, given from dark to light.
  static func grays(_ grays: [GrayLevel], _ grid: inout DotGrid) {
    let mixes = GrayMixes(of: grays)
    for index in grid.dots.indices {
      let rank = rank(column: index % grid.columns, row: index / grid.columns)
      let level = Float(mixes.level(of: Luma.value(of: grid.dots[index]), rank: rank).rawValue)
      grid.dots[index] = SIMD4(level, level, level, 0)
    }
  }
}

/// Luma of a colour, 0 to 255 (ITU-R BT.709).
enum Luma {
  static func value(of color: SIMD4<Float>) -> Float {
    (color * SIMD4(0.2126, 0.7152, 0.0722, 0)).sum()
  }
}

/// Cache of palette mixes for the colours of one picture; computing a mix takes forty times as long as
/// a lookup, and most dots have nearly the colour of others.
private struct PaletteMixes {
  /// Direct-mapped cache: colours with equal low bits share an entry, which holds the last one
  /// requested.
  private var places = [CachedMix](repeating: CachedMix(), count: 1 << (3 * placeBits))
  private let colors = PaletteMix.colors

  private struct CachedMix {
    var key = UInt32.max
    var mix = PaletteMix()
  }

  /// Bits per channel of the cache key; differences below them are invisible.
  private static let keyBits: UInt32 = 6
  /// Bits per channel of an entry's index.
  private static let placeBits: UInt32 = 4
  /// Factor from a channel's value to the key's steps.
  private static let steps = Float(1 << keyBits - 1) / 255

  /// Returns the colour of a dot of a rank.
  @inline(__always)
  mutating func color(for color: SIMD4<Float>, rank: Int) -> SIMD4<Float> {
    // Scalar conversions, since converting a whole vector is a slow call.
    let steps = color * Self.steps + 0.5
    let (red, green, blue) = (UInt32(steps.x), UInt32(steps.y), UInt32(steps.z))
    let key = (red << Self.keyBits | green) << Self.keyBits | blue
    let low: UInt32 = 1 << Self.placeBits - 1
    let position = ((red & low) << Self.placeBits | green & low) << Self.placeBits | blue & low
    if places[Int(position)].key != key {
      let rounded = SIMD4(Float(red), Float(green), Float(blue), 0) / Self.steps
      places[Int(position)] = CachedMix(key: key, mix: PaletteMix(for: rounded, of: colors))
    }
    return colors[places[Int(position)].mix.index(rank: rank)]
  }
}

/// Mix of two palette colours that approximates a colour.
///
/// One is the nearest; the other lies in the direction of the remaining error. Their shares follow the
/// colour's position between them, unless the texture would be more visible than the error.
private struct PaletteMix {
  private var darker: UInt8 = 0
  private var lighter: UInt8 = 0
  /// Number of dots of sixteen in the lighter colour.
  private var count: UInt8 = 0

  /// Distances at which the second colour is searched: greys are close together, the steps of the cube
  /// farther apart, the first ones farthest.
  private static let distances: SIMD2<Float> = [20, 70]
  /// Squared error below which a difference is invisible.
  private static let unseen: Float = 30
  /// Weight of the texture's squared contrast against the squared error of the colour.
  private static let spotWeight: Float = 0.45

  /// Creates a mix of the first colour only.
  init() {}

  /// Creates the best mix for a colour; `colors` is the palette.
  init(for color: SIMD4<Float>, of colors: [SIMD4<Float>]) {
    let nearest = Self.nearest(to: color)
    let missing = color - colors[nearest]
    var best = (other: nearest, share: Float(0), error: (missing * missing).sum())
    let length = max(abs(missing.x), abs(missing.y), abs(missing.z))
    for index in 0..<2 where best.error > Self.unseen {
      let other = Self.nearest(to: colors[nearest] + missing * (Self.distances[index] / length))
      let step = colors[other] - colors[nearest]
      let square = (step * step).sum()
      guard square > 0 else { continue }
      let share = min(max((missing * step).sum() / square, 0), 1)
      let rest = missing - step * share
      let spots = square * share * (1 - share)
      let error = (rest * rest).sum() + spots * Self.spotWeight
      if error < best.error { best = (other, share, error) }
    }
    let isOtherLighter = Luma.value(of: colors[best.other]) >= Luma.value(of: colors[nearest])
    darker = UInt8(isOtherLighter ? nearest : best.other)
    lighter = UInt8(isOtherLighter ? best.other : nearest)
    count = UInt8(((isOtherLighter ? best.share : 1 - best.share) * 16 + 0.5).rounded(.down))
  }

  /// Returns the palette index for a dot's rank.
  @inline(__always)
  func index(rank: Int) -> Int { Int(rank < Int(count) ? lighter : darker) }

  private static func nearest(to color: SIMD4<Float>) -> Int {
    func channel(_ value: Float) -> UInt8 { UInt8(min(max(value, 0), 255)) }
    return Int(Palette.nearest(to: RGB(channel(color.x), channel(color.y), channel(color.z))))
  }

  /// Palette by index; those below 16, which users define, are black and unused.
  static let colors: [SIMD4<Float>] = (0..<256).map { index in
    let color = index < 16 ? RGB.black : Palette.color(Int32(index))
    return SIMD4(Float(color.red), Float(color.green), Float(color.blue), 0)
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
