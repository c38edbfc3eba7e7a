/// Grid of the dots that a terminal can show, each the mean colour of its pixels.
struct DotGrid {
  let columns: Int
  let rows: Int
  /// Rows top to bottom; red, green and blue from 0 to 255, the fourth lane is 0.
  var dots: [SIMD4<Float>]

  /// Scales pixels of red, green, blue, alpha, rows top to bottom, to `columns` × `rows` dots;
  /// `background` shows through transparent pixels.
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

  /// Pixels under one dot in one dimension; the outermost ones count in part.
  private struct Span {
    private let first: Int
    private let last: Int
    private let firstWeight: Float
    /// Meaningless where `last` is `first`.
    private let lastWeight: Float
    /// Sum of all weights.
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
