/// Palette of one picture, chosen by median cut (Heckbert 1982).
package struct AdaptivePalette {
  /// Red, green and blue in percent, as sixel encodes them.
  let percents: [SIMD3<UInt8>]
  /// Colours of `percents` as terminals show them, 0 to 255.
  let colors: [SIMD4<Float>]
  /// Index of each colour by 5 bits per channel: its box's where the picture has it, else the nearest;
  /// `.max` before the first lookup.
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
    for (index, box) in boxes.enumerated() {
      for bin in box.bins { nearest[bin.key] = UInt16(index) }
    }
    percents = boxes.map { Self.percent(of: $0.mean) }
    colors = percents.map { percent in
      SIMD4(SIMD4<Int32>(truncatingIfNeeded: SIMD4(percent, 0)) &* 255 &+ 50) / 100
    }.map { $0.rounded(.down) }
  }

  /// Palette of opaque pixels of red, green, blue and an ignored byte, and the index of each.
  package static func reduce(
    _ pixels: [UInt8], to maximum: Int
  ) -> (colors: [UInt8], indices: [UInt8]) {
    pixels.withUnsafeBytes { bytes in
      let pixels = bytes.bindMemory(to: SIMD4<UInt8>.self)
      let palette = AdaptivePalette(of: pixels, maximum: maximum)
      let colors = palette.colors.flatMap { [UInt8($0.x), UInt8($0.y), UInt8($0.z)] }
      return (colors, palette.indices(of: pixels))
    }
  }

  /// Returns the indices of the picture's pixels.
  func indices(of pixels: UnsafeBufferPointer<SIMD4<UInt8>>) -> [UInt8] {
    pixels.map { UInt8(truncatingIfNeeded: nearest[Self.key($0)]) }
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
    var sums = [SIMD4<UInt32>](repeating: .zero, count: 1 << 15)
    for pixel in pixels {
      var color = SIMD4<UInt32>(truncatingIfNeeded: pixel)
      color.w = 1
      sums[key(pixel)] &+= color
    }
    return sums.indices.filter { sums[$0].w > 0 }.map { key in
      let sum = sums[key]
      let count = Float(sum.w)
      let mean = SIMD4(Float(sum.x), Float(sum.y), Float(sum.z), 0) / count
      return Bin(key: key, mean: mean, count: count)
    }
  }

  private struct Bin {
    let key: Int
    let mean: SIMD4<Float>
    let count: Float
  }

  /// Colours that share a palette entry; the greatest box is cut next.
  private struct Box: Comparable {
    let bins: [Bin]
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
      weight =
        extent[axis] < 1 ? 0 : extent[axis] * bins.reduce(0) { $0 + $1.count }.squareRoot()
    }

    static func < (left: Box, right: Box) -> Bool { left.weight < right.weight }

    static func == (left: Box, right: Box) -> Bool { left.weight == right.weight }

    var mean: SIMD4<Float> {
      let sum = bins.reduce(SIMD4<Float>.zero) { $0 + $1.mean * $1.count }
      return sum / max(1, bins.reduce(0) { $0 + $1.count })
    }

    /// Divides the box in two with about half of the pixels each; nil for colours that look alike.
    func cut() -> (Box, Box)? {
      guard weight > 0 else { return nil }
      var counts = InlineArray<256, Float>(repeating: 0)
      var (low, high) = (255, 0)
      for bin in bins {
        let level = Int(bin.mean[axis])
        counts[level] += bin.count
        (low, high) = (min(low, level), max(high, level))
      }
      let half = bins.reduce(0) { $0 + $1.count } / 2
      var border = low + 1
      var count = counts[low]
      while border < high, count < half {
        count += counts[border]
        border += 1
      }
      let (axis, level) = (axis, Float(border))
      return (
        Box(bins.filter { $0.mean[axis] < level }), Box(bins.filter { $0.mean[axis] >= level })
      )
    }
  }
}
