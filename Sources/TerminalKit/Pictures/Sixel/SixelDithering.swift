/// Draws pixels with the few colours of a palette, handing each pixel's error on to its neighbours
/// (Floyd and Steinberg 1976), row by row in alternating directions.
struct SixelDithering {
  private var palette: SixelPalette
  private let width: Int
  private let height: Int

  init(palette: SixelPalette, width: Int, height: Int) {
    self.palette = palette
    self.width = width
    self.height = height
  }

  /// - Parameter pixels: red, green, blue, and anything; rows top to bottom.
  /// - Returns: an index into the palette for each pixel.
  mutating func indices(of pixels: UnsafeBufferPointer<SIMD4<UInt8>>) -> [UInt8] {
    var indices = [UInt8](repeating: 0, count: width * height)
    // One more on each side, for errors that leave the picture.
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
