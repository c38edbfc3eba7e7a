internal import Glibc
internal import MarketModel

/// Scaler by area: each pixel of the result is the mean light of the rectangle that it covers.
///
/// Rows are summed as they come, so that besides source and result it holds two rows of the result.
struct AreaScaler {
  private let source: RawPixels
  private let crop: PixelRectangle
  private let size: PixelSize
  private let columns: [ColumnSpan]

  /// Scales the part `crop` of the source, which is inside it and not empty.
  init(_ source: RawPixels, crop: PixelRectangle, size: PixelSize) {
    self.source = source
    self.crop = crop
    self.size = size
    columns = ColumnSpan.spans(of: crop.columns, count: size.width)
  }

  func scaled() -> Bitmap {
    var pixels = [UInt8](repeating: 255, count: size.pixelCount * 4)
    pixels.withUnsafeMutableBufferPointer { target in
      source.bytes.withUnsafeBufferPointer { bytes in
        guard let target = target.baseAddress, let bytes = bytes.baseAddress else { return }
        if crop.size == size { copy(bytes, to: target) } else { sumRows(bytes, to: target) }
      }
    }
    return Bitmap(size: size, pixels: pixels)
  }

  /// Spreads each source row over the result's rows that it touches, in units of which a source
  /// row is `size.height` and a row of the result `crop.rows.count` high.
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
        target.update(from: pixel, count: source.channels)
        target += 4
        pixel += source.channels
      }
    }
  }
}

/// Columns of the source that one column of the result covers: whole ones in the middle and a part
/// of the first and last, summed with these weights.
private struct ColumnSpan {
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

  /// Sums light times alpha of a row of four channels, and alpha itself.
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

/// Encoder of sums of light as the sRGB bytes of one row.
private struct RowEncoder {
  private let isOpaque: Bool
  /// What a sum is divided by to give light in steps of the table's index.
  private let factor: Float

  /// Takes what the sums hold (light alone, or light times alpha and alpha), the columns of the
  /// source in a sum, and the height of a row of the result in the units of the sums' weights.
  init(isOpaque: Bool, area: Float, height: Int) {
    self.isOpaque = isOpaque
    factor = 1 / (area * Float(height))
  }

  /// Writes 4 bytes for each sum.
  func encode(_ sums: [SIMD4<Float>], to target: UnsafeMutablePointer<UInt8>) {
    LinearLight.value.withUnsafeBufferPointer { value in
      var target = target
      for sum in sums {
        let mean = sum * factor
        let light = (isOpaque ? mean : mean / max(mean.w, .leastNormalMagnitude)) * 0.25
        // One by one: the conversion of a whole vector is a slow call.
        target[0] = value[Int(min(light.x, 16_383))]
        target[1] = value[Int(min(light.y, 16_383))]
        target[2] = value[Int(min(light.z, 16_383))]
        target[3] = isOpaque ? 255 : UInt8(min(255, mean.w + 0.5))
        target += 4
      }
    }
  }
}

/// Tables of the sRGB transfer curve (IEC 61966-2-1): mixing light needs values that are
/// proportional to it.
private enum LinearLight {
  /// For each sRGB value its light, 0 to 65,535.
  static let light: [UInt32] = (0...255).map {
    UInt32((light(of: Double($0) / 255) * 65_535).rounded())
  }

  /// For light in steps of 4, 0 to 65,535, the nearest sRGB value.
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
  /// The same shape with sides of `ratio` times the length, 0 to 1; each at least 1.
  func scaled(by ratio: Double) -> PixelSize {
    fitted(
      into: PixelSize(
        width: max(1, Int(Double(width) * ratio)), height: max(1, Int(Double(height) * ratio))))
  }

  /// The size of this shape whose sides are at most `side`; never a larger one.
  func limited(to side: Int) -> PixelSize {
    fitted(into: PixelSize(width: min(side, width), height: min(side, height)))
  }
}
