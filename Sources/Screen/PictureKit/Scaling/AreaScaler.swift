internal import Glibc
internal import MarketModel

/// Area-averaging scaler: each pixel of the result is the mean linear light of the source area that
/// it covers.
///
/// It sums row by row and so holds only two rows beside source and result.
struct AreaScaler {
  private let source: RawPixels
  private let crop: PixelRectangle
  private let size: PixelSize
  private let columns: [ColumnSpan]

  /// Scales `crop`, a non-empty part inside the source, to `size`.
  init(_ source: RawPixels, crop: PixelRectangle, size: PixelSize) {
    self.source = source
    self.crop = crop
    self.size = size
    columns = ColumnSpan.spans(of: crop.columns, count: size.width)
  }

  func scaled() -> Bitmap {
    if source.channels == 4, source.size == crop.size, crop.size == size {
      return Bitmap(size: size, pixels: source.bytes)
    }
    var pixels = [UInt8](repeating: 255, count: size.pixelCount * 4)
    pixels.withUnsafeMutableBufferPointer { target in
      source.bytes.withUnsafeBufferPointer { bytes in
        guard let target = target.baseAddress, let bytes = bytes.baseAddress else { return }
        if crop.size == size { copy(bytes, to: target) } else { sumRows(bytes, to: target) }
      }
    }
    return Bitmap(size: size, pixels: pixels)
  }

  /// Adds each source row to the result rows that it overlaps, in units in which a source row is
  /// `size.height` high and a result row `crop.rows.count`.
  private func sumRows(_ bytes: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>) {
    var sums = [SIMD4<Float>](repeating: .zero, count: size.width)
    var row = [SIMD4<Float>](repeating: .zero, count: size.width)
    let encoder = RowEncoder(
      isOpaque: source.channels == 3, area: columns[0].area, height: crop.rows.count)
    var index = 0
    var room = crop.rows.count
    for sourceRow in crop.rows {
      sum(bytes + sourceRow * source.size.width * source.channels, into: &row)
      var height = size.height
      while height > 0 {
        let part = min(height, room)
        let weight = SIMD4<Float>(repeating: Float(part))
        for column in sums.indices { sums[column] += row[column] * weight }
        height -= part
        room -= part
        if room == 0 {
          encoder.encode(sums, to: target + index * size.width * 4)
          for column in sums.indices { sums[column] = .zero }
          index += 1
          room = crop.rows.count
        }
      }
    }
  }

  private func sum(_ row: UnsafePointer<UInt8>, into sums: inout [SIMD4<Float>]) {
    LinearLight.light.withUnsafeBufferPointer { light in
      guard let light = light.baseAddress else { return }
      if source.channels == 3 {
        for index in columns.indices { sums[index] = columns[index].opaqueSum(row, light) }
      } else {
        for index in columns.indices { sums[index] = columns[index].weightedSum(row, light) }
      }
    }
  }

  private func copy(_ bytes: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>) {
    var target = target
    for row in crop.rows {
      var pixel = bytes + (row * source.size.width + crop.columns.lowerBound) * source.channels
      for _ in crop.columns {
        for channel in 0..<source.channels { target[channel] = pixel[channel] }
        target += 4
        pixel += source.channels
      }
    }
  }
}

/// Source columns covered by one result column: whole ones in the middle, a weighted part of the
/// first and last.
private struct ColumnSpan {
  let first: Int
  let last: Int
  let firstWeight: Float
  /// Weight of the last column; 0 where `last` is `first`.
  let lastWeight: Float
  /// Width of the span in source columns.
  let area: Float

  /// Returns the spans of `count` result columns over a non-empty range of source columns.
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

  /// Sums the linear light of a row of three channels; the fourth lane stays 0.
  @inline(__always)
  fileprivate func opaqueSum(
    _ row: UnsafePointer<UInt8>, _ light: UnsafePointer<UInt32>
  ) -> SIMD4<Float> {
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

  /// Sums light times alpha of a row of four channels; the fourth lane is the sum of alpha.
  @inline(__always)
  fileprivate func weightedSum(
    _ row: UnsafePointer<UInt8>, _ light: UnsafePointer<UInt32>
  ) -> SIMD4<Float> {
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

/// Encoder of one row of light sums as sRGB bytes.
private struct RowEncoder {
  private let isOpaque: Bool
  /// Factor from a sum to the mean light, 0 to 65,535.
  private let factor: Float

  /// Takes the kind of the sums (light alone, or light times alpha and alpha), the source columns per
  /// sum, and a result row's height in units of the row weights.
  init(isOpaque: Bool, area: Float, height: Int) {
    self.isOpaque = isOpaque
    factor = 1 / (area * Float(height))
  }

  /// Writes 4 bytes per sum.
  func encode(_ sums: [SIMD4<Float>], to target: UnsafeMutablePointer<UInt8>) {
    LinearLight.value.withUnsafeBufferPointer { value in
      var target = target
      for sum in sums {
        let mean = sum * factor
        let light = (isOpaque ? mean : mean / max(mean.w, .leastNormalMagnitude)) * 0.25
        // Scalar conversions, since converting a whole vector is a slow call.
        target[0] = value[Int(min(light.x, 16_383))]
        target[1] = value[Int(min(light.y, 16_383))]
        target[2] = value[Int(min(light.z, 16_383))]
        target[3] = isOpaque ? 255 : UInt8(min(255, mean.w + 0.5))
        target += 4
      }
    }
  }
}

/// Tables of the sRGB transfer curve (IEC 61966-2-1); averaging needs values proportional to light.
private enum LinearLight {
  /// Linear light, 0 to 65,535, by sRGB value.
  static let light: [UInt32] = (0...255).map {
    UInt32((light(of: Double($0) / 255) * 65_535).rounded())
  }

  /// Nearest sRGB value by light in steps of 4, 0 to 65,535.
  static let value: [UInt8] = {
    var table: [UInt8] = []
    for value in 0..<255 {
      let border = Int(light(of: (Double(value) + 0.5) / 255) * 16_383) + 1
      table.append(contentsOf: repeatElement(UInt8(value), count: border - table.count))
    }
    return table + repeatElement(255, count: 16_384 - table.count)
  }()

  private static func light(of value: Double) -> Double {
    value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }
}

extension PixelSize {
  /// Returns this shape with sides `ratio` times as long, 0 to 1; each side at least 1.
  func scaled(by ratio: Double) -> PixelSize {
    fitted(
      into: PixelSize(
        width: max(1, Int(Double(width) * ratio)), height: max(1, Int(Double(height) * ratio))))
  }

  /// Returns this shape with sides of at most `side` pixels; never larger than this size.
  func limited(to side: Int) -> PixelSize {
    fitted(into: PixelSize(width: min(side, width), height: min(side, height)))
  }
}
