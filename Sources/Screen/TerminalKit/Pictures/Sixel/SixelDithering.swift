/// Error-diffusion dithering (Floyd and Steinberg 1976), row by row in alternating directions.
struct SixelDithering {
  private var palette: AdaptivePalette
  private let width: Int
  private let height: Int

  init(palette: AdaptivePalette, width: Int, height: Int) {
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
