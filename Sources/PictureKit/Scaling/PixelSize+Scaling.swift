internal import MarketModel

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
