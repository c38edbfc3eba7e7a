/// Palette of one sixel picture, chosen by median cut (Heckbert 1982).
struct SixelPalette {
  /// Red, green and blue in percent, as sixel encodes them.
  let percents: [SIMD3<UInt8>]
  /// Colours of `percents` as terminals show them, 0 to 255.
  let colors: [SIMD4<Float>]
  /// Cached index of the nearest colour by 5 bits per channel; `.max` before the first lookup.
  private var nearest = [UInt16](repeating: .max, count: 1 << 15)

  /// Chooses up to `maximum` colours, 2 to 256, for pixels of red, green, blue and an ignored byte.
  init(of pixels: UnsafeBufferPointer<SIMD4<UInt8>>, maximum: Int) {
    var boxes = [Box(Self.bins(of: pixels))]
    while boxes.count < maximum, let widest = boxes.indices.max(by: { boxes[$0] < boxes[$1] }),
      let (left, right) = boxes[widest].cut()
    {
      boxes[widest] = left
      boxes.append(right)
    }
    percents = boxes.map { Self.percent(of: $0.mean) }
    colors = percents.map { percent in
      SIMD4(SIMD4<Int32>(truncatingIfNeeded: SIMD4(percent, 0)) &* 255 &+ 50) / 100
    }.map { $0.rounded(.down) }
  }

  /// Returns the index of the nearest colour, at 5 bits per channel.
  mutating func index(nearestTo color: SIMD4<Float>) -> UInt8 {
    let key = Self.key(SIMD4<UInt8>(clamping: SIMD4<Int32>(color)))
    if nearest[key] != .max { return UInt8(nearest[key]) }
    var best = (index: 0, distance: Float.infinity)
    for (index, other) in colors.enumerated() {
      var difference = color - other
      difference.w = 0
      let distance = (difference * difference).sum()
      if distance < best.distance { best = (index, distance) }
    }
    nearest[key] = UInt16(best.index)
    return UInt8(best.index)
  }

  private static func percent(of color: SIMD4<Float>) -> SIMD3<UInt8> {
    let percent = (color * 100 / 255).rounded(.toNearestOrEven)
    return SIMD3(UInt8(percent.x), UInt8(percent.y), UInt8(percent.z))
  }

  private static func key(_ color: SIMD4<UInt8>) -> Int {
    Int(color.x >> 3) << 10 | Int(color.y >> 3) << 5 | Int(color.z >> 3)
  }

  /// Returns the mean colours of pixels grouped by 5 bits per channel, with their counts.
  private static func bins(of pixels: UnsafeBufferPointer<SIMD4<UInt8>>) -> [Bin] {
    var sums = [SIMD4<Float>](repeating: .zero, count: 1 << 15)
    for pixel in pixels {
      var color = SIMD4<Float>(pixel)
      color.w = 1
      sums[key(pixel)] += color
    }
    return sums.filter { $0.w > 0 }.map { sum in
      var mean = sum / sum.w
      mean.w = 0
      return Bin(mean: mean, count: sum.w)
    }
  }

  private struct Bin {
    let mean: SIMD4<Float>
    let count: Float
  }

  /// Colours that share a palette entry; the greatest box is cut next.
  private struct Box: Comparable {
    private let bins: [Bin]
    private let axis: Int
    private let weight: Float

    init(_ bins: [Bin]) {
      self.bins = bins
      var low = SIMD4<Float>(repeating: 255)
      var high = SIMD4<Float>.zero
      for bin in bins {
        low = pointwiseMin(low, bin.mean)
        high = pointwiseMax(high, bin.mean)
      }
      let extent = high - low
      let axis = (0..<3).max { extent[$0] < extent[$1] } ?? 0
      self.axis = axis
      // Wide boxes matter even with few pixels, and full ones even when narrow.
      weight = extent[axis] * bins.reduce(0) { $0 + $1.count }.squareRoot()
    }

    static func < (left: Box, right: Box) -> Bool { left.weight < right.weight }

    static func == (left: Box, right: Box) -> Bool { left.weight == right.weight }

    var mean: SIMD4<Float> {
      let sum = bins.reduce(SIMD4<Float>.zero) { $0 + $1.mean * $1.count }
      return sum / max(1, bins.reduce(0) { $0 + $1.count })
    }

    /// Divides the box in two with half of the pixels each; nil for a single colour.
    func cut() -> (Box, Box)? {
      guard weight > 0 else { return nil }
      let sorted = bins.sorted { $0.mean[axis] < $1.mean[axis] }
      let half = bins.reduce(0) { $0 + $1.count } / 2
      var count: Float = 0
      var index = 0
      while index < sorted.count - 1, count < half {
        count += sorted[index].count
        index += 1
      }
      let position = max(1, index)
      return (Box(Array(sorted[..<position])), Box(Array(sorted[position...])))
    }
  }
}

/// Error-diffusion dithering (Floyd and Steinberg 1976), row by row in alternating directions.
struct SixelDithering {
  private var palette: SixelPalette
  private let width: Int
  private let height: Int

  init(palette: SixelPalette, width: Int, height: Int) {
    self.palette = palette
    self.width = width
    self.height = height
  }

  /// Returns the palette index of each pixel (red, green, blue, an ignored byte); rows top to bottom.
  mutating func indices(of pixels: UnsafeBufferPointer<SIMD4<UInt8>>) -> [UInt8] {
    var indices = [UInt8](repeating: 0, count: width * height)
    // One more column on each side takes errors that leave the picture.
    var errors = [SIMD4<Float>](repeating: .zero, count: width + 2)
    var below = errors
    for row in 0..<height {
      let step = row.isMultiple(of: 2) ? 1 : -1
      for offset in 0..<width {
        let column = step > 0 ? offset : width - 1 - offset
        let wanted = SIMD4<Float>(pixels[row * width + column]) + errors[column + 1]
        let color = wanted.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255))
        let index = palette.index(nearestTo: color)
        indices[row * width + column] = index
        let error = color - palette.colors[Int(index)]
        errors[column + 1 + step] += error * (7 / 16)
        below[column + 1 - step] += error * (3 / 16)
        below[column + 1] += error * (5 / 16)
        below[column + 1 + step] += error * (1 / 16)
      }
      swap(&errors, &below)
      for column in below.indices { below[column] = .zero }
    }
    return indices
  }
}
