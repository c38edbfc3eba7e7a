internal import MarketModel

extension Bitmap {
  /// The whole picture in another size.
  func scaled(to size: PixelSize) -> Bitmap {
    let source = RawPixels(size: self.size, channels: 4, bytes: pixels)
    let whole = PixelRectangle(columns: 0..<self.size.width, rows: 0..<self.size.height)
    return AreaScaler(source, crop: whole, size: size).scaled()
  }
}
