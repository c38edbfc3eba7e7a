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
    guard columns > 0, rows > 0 else {
      dots = []
      return
    }
    let ground = SIMD4(Float(background.red), Float(background.green), Float(background.blue), 0)
    let spans = (0..<columns).map { Span(of: $0, among: columns, over: width) }
    dots = pixels.withUnsafeBytes { bytes in
      let pixels = bytes.bindMemory(to: SIMD4<UInt8>.self)
      guard columns != width || rows != height else {
        return pixels.map { Self.color($0, over: ground) }
      }
      var dots: [SIMD4<Float>] = []
      dots.reserveCapacity(columns * rows)
      for row in 0..<rows {
        let lines = Span(of: row, among: rows, over: height)
        for span in spans {
          dots.append(
            Self.mean(of: pixels, stride: width, lines: lines, span: span, over: ground))
        }
      }
      return dots
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
    let sum = lines.sum { line in
      span.sum { pixel in color(pixels[line * stride + pixel], over: ground) }
    }
    return sum / (lines.length * span.length)
  }

  @inline(__always)
  private static func color(_ pixel: SIMD4<UInt8>, over ground: SIMD4<Float>) -> SIMD4<Float> {
    var value = SIMD4<Float>(pixel)
    if pixel.w < 255 { value = ground + (value - ground) * (value.w / 255) }
    value.w = 0
    return value
  }
}
