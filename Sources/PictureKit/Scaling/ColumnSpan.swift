/// The columns of the source that one column of the result covers: whole ones in the middle and a
/// part of the first and last, summed with these weights.
struct ColumnSpan {
  let first: Int
  let last: Int
  let firstWeight: Float
  /// 0 where `last` is `first`.
  let lastWeight: Float
  /// Width of the span in columns of the source.
  let area: Float

  /// The spans of `count` columns that share those of the source, which are not none.
  static func spans(of columns: Range<Int>, count: Int) -> [ColumnSpan] {
    (0..<count).map { index in
      // In units of 1 / count of a source column, so that all borders are whole numbers.
      let start = index * columns.count
      let end = start + columns.count
      let first = start / count
      let last = (end - 1) / count
      let lastPart = Float(end - last * count) / Float(count)
      let firstPart = Float((first + 1) * count - start) / Float(count)
      let area = Float(columns.count) / Float(count)
      return ColumnSpan(
        first: columns.lowerBound + first, last: columns.lowerBound + last,
        firstWeight: first == last ? area : firstPart, lastWeight: first == last ? 0 : lastPart,
        area: area)
    }
  }

  /// Sums the light of a row of three channels; the fourth is left at 0.
  @inline(__always)
  func opaqueSum(_ row: UnsafePointer<UInt8>, _ light: UnsafePointer<UInt32>) -> SIMD4<Float> {
    func pixel(_ index: Int) -> SIMD4<Float> {
      let pixel = row + index * 3
      return SIMD4(
        Float(light[Int(pixel[0])]), Float(light[Int(pixel[1])]), Float(light[Int(pixel[2])]), 0)
    }
    var red: UInt = 0
    var green: UInt = 0
    var blue: UInt = 0
    var index = first + 1
    while index < last {
      let pixel = row + index * 3
      red &+= UInt(light[Int(pixel[0])])
      green &+= UInt(light[Int(pixel[1])])
      blue &+= UInt(light[Int(pixel[2])])
      index &+= 1
    }
    return SIMD4(Float(red), Float(green), Float(blue), 0)
      + pixel(first) * firstWeight + pixel(last) * lastWeight
  }

  /// Sums light times alpha of a row of four channels, and alpha itself.
  @inline(__always)
  func weightedSum(_ row: UnsafePointer<UInt8>, _ light: UnsafePointer<UInt32>) -> SIMD4<Float> {
    func pixel(_ index: Int) -> SIMD4<Float> {
      let pixel = row + index * 4
      return SIMD4(
        Float(light[Int(pixel[0])]), Float(light[Int(pixel[1])]), Float(light[Int(pixel[2])]), 1)
        * Float(pixel[3])
    }
    var red: UInt = 0
    var green: UInt = 0
    var blue: UInt = 0
    var alpha: UInt = 0
    var index = first + 1
    while index < last {
      let pixel = row + index * 4
      let weight = UInt(pixel[3])
      red &+= UInt(light[Int(pixel[0])]) &* weight
      green &+= UInt(light[Int(pixel[1])]) &* weight
      blue &+= UInt(light[Int(pixel[2])]) &* weight
      alpha &+= weight
      index &+= 1
    }
    return SIMD4(Float(red), Float(green), Float(blue), Float(alpha))
      + pixel(first) * firstWeight + pixel(last) * lastWeight
  }
}
