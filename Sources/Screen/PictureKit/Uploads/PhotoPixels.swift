internal import MarketModel

/// Pixels of a whole photo, of which upright bitmaps are made.
///
/// They stay as the decoder left them: a camera's photo in all of its pixels is large, and no second
/// copy of it is needed.
struct PhotoPixels {
  private let pixels: RawPixels
  private let orientation: PictureOrientation
  /// Size of the largest upright bitmap that there is any use for.
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

  /// The upright picture in a size of its shape.
  func bitmap(_ size: PixelSize) -> Bitmap {
    let whole = PixelRectangle(columns: 0..<pixels.size.width, rows: 0..<pixels.size.height)
    return orientation.applied(
      to: AreaScaler(pixels, crop: whole, size: orientation.applied(to: size)).scaled())
  }

  /// Bands of the picture as it is stored, whose height is that of blocks of JPEG: of each band of
  /// `share` one; nil for a picture too small for that to tell of the rest.
  func sample(share: Int) -> Bitmap? {
    let (bandHeight, rowBytes) = (16, pixels.size.width * pixels.channels)
    let period = bandHeight * share
    let count = pixels.size.height / period
    guard count >= 8 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * bandHeight * rowBytes)
    for band in 0..<count {
      // From the middle of what it stands for.
      let first = band * period + (period - bandHeight) / 2
      bytes += pixels.bytes[first * rowBytes..<(first + bandHeight) * rowBytes]
    }
    let size = PixelSize(width: pixels.size.width, height: count * bandHeight)
    let rows = RawPixels(size: size, channels: pixels.channels, bytes: bytes)
    return PhotoPixels(rows, .upright, size: size).bitmap(size)
  }
}
