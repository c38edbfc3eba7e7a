internal import MarketModel

/// Decoded pixels of a whole photo, from which upright bitmaps are made.
///
/// They stay in the decoder's orientation, which saves a second copy of a large photo.
struct PhotoPixels {
  private let pixels: RawPixels
  private let orientation: PictureOrientation
  /// Size of the largest upright bitmap that is useful, in pixels.
  let size: PixelSize

  init(_ pixels: RawPixels, _ orientation: PictureOrientation, size: PixelSize) {
    self.pixels = pixels
    self.orientation = orientation
    self.size = size
  }

  init(_ bitmap: Bitmap) {
    self.init(
      RawPixels(size: bitmap.size, channels: 4, bytes: bitmap.pixels), .upright, size: bitmap.size)
  }

  /// Returns the upright picture in a size of its shape.
  func bitmap(_ size: PixelSize) -> Bitmap {
    let whole = PixelRectangle(columns: 0..<pixels.size.width, rows: 0..<pixels.size.height)
    return orientation.applied(
      to: AreaScaler(pixels, crop: whole, size: orientation.applied(to: size)).scaled())
  }

  /// Returns one of each `share` bands of the stored picture, each 16 rows (a JPEG block) high; nil
  /// for a picture with fewer than 8 such bands, too small for an estimate.
  func sample(share: Int) -> Bitmap? {
    let (bandHeight, rowBytes) = (16, pixels.size.width * pixels.channels)
    let period = bandHeight * share
    let count = pixels.size.height / period
    guard count >= 8 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * bandHeight * rowBytes)
    for band in 0..<count {
      // The band in the middle of its period.
      let first = band * period + (period - bandHeight) / 2
      bytes += pixels.bytes[first * rowBytes..<(first + bandHeight) * rowBytes]
    }
    let size = PixelSize(width: pixels.size.width, height: count * bandHeight)
    let rows = RawPixels(size: size, channels: pixels.channels, bytes: bytes)
    return PhotoPixels(rows, .upright, size: size).bitmap(size)
  }
}
