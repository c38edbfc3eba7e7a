internal import MarketModel

/// Scales by area: each pixel of the result is the mean light of the rectangle that it covers.
///
/// Rows are summed as they come, so that besides source and result it holds two rows of the result.
struct AreaScaler {
  private let source: RawPixels
  private let crop: PixelRectangle
  private let size: PixelSize
  private let columns: [ColumnSpan]

  /// - Parameters:
  ///   - source: what is scaled.
  ///   - crop: the part of it that is used; inside it and not empty.
  ///   - size: of the result.
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
}

extension AreaScaler {
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
