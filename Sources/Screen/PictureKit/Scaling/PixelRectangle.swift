internal import MarketModel

/// Part of a picture, in whole pixels.
struct PixelRectangle: Hashable {
  var columns: Range<Int>
  var rows: Range<Int>

  var size: PixelSize { PixelSize(width: columns.count, height: rows.count) }

  /// The largest part in the middle of `size` that has the shape of `shape`.
  static func middle(of size: PixelSize, shapedLike shape: PixelSize) -> Self {
    let part = shape.fitted(into: size)
    let left = (size.width - part.width) / 2
    let top = (size.height - part.height) / 2
    return Self(columns: left..<left + part.width, rows: top..<top + part.height)
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
