internal import MarketModel

/// A part of a picture, in whole pixels.
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
