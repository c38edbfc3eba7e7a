/// A picture scaled to the dots that a terminal can show: the mean colour of the pixels under each.
struct DotGrid {
  let columns: Int
  let rows: Int
  /// Rows top to bottom; red, green and blue are 0 to 255 each, and the fourth lane is 0.
  private(set) var dots: [SIMD4<Float>]

  /// - Parameters:
  ///   - pixels: red, green, blue, alpha; rows top to bottom.
  ///   - width: pixels in a row.
  ///   - height: rows of pixels.
  ///   - columns: dots in a row.
  ///   - rows: rows of dots.
  ///   - background: what shows through transparent pixels.
  init(
    pixels: [UInt8], width: Int, height: Int, columns: Int, rows: Int, background: RGB
  ) {
    self.columns = columns
    self.rows = rows
    dots = [SIMD4<Float>](repeating: .zero, count: columns * rows)
    guard columns > 0, rows > 0 else { return }
    let ground = SIMD4(Float(background.red), Float(background.green), Float(background.blue), 0)
    let spans = (0..<columns).map { Self.span(of: $0, among: columns, over: width) }
    pixels.withUnsafeBytes { bytes in
      let pixels = bytes.bindMemory(to: SIMD4<UInt8>.self)
      for row in 0..<rows {
        let lines = Self.span(of: row, among: rows, over: height)
        for column in 0..<columns {
          dots[row * columns + column] = Self.mean(
            of: pixels, stride: width, lines: lines, span: spans[column], over: ground)
        }
      }
    }
  }

  /// The pixels under one dot: at least one, also where there are fewer pixels than dots.
  private static func span(of dot: Int, among dots: Int, over pixels: Int) -> Range<Int> {
    let start = dot * pixels / dots
    return start..<max(start + 1, (dot + 1) * pixels / dots)
  }

  private static func mean(
    of pixels: UnsafeBufferPointer<SIMD4<UInt8>>, stride: Int, lines: Range<Int>, span: Range<Int>,
    over ground: SIMD4<Float>
  ) -> SIMD4<Float> {
    var sum = SIMD4<Float>.zero
    for line in lines {
      for pixel in span {
        let value = SIMD4<Float>(pixels[line * stride + pixel])
        let opacity = value.w / 255
        sum += value * opacity + ground * (1 - opacity)
      }
    }
    sum.w = 0
    return sum / Float(lines.count * span.count)
  }
}
