internal import MarketModel

/// Pixels as a decoder left them: rows top to bottom, `channels` bytes a pixel, sRGB.
struct RawPixels {
  let size: PixelSize
  /// 3 (red, green, blue), or 4 with an alpha that is not premultiplied.
  let channels: Int
  /// `size.pixelCount * channels` bytes.
  let bytes: [UInt8]
}

extension RawPixels {
  /// Lets `fill` write all bytes from the first on; what it does not write is black.
  init(
    size: PixelSize, channels: Int,
    fill: (UnsafeMutablePointer<UInt8>) throws(PictureError) -> Void
  ) throws(PictureError) {
    var bytes = [UInt8](repeating: 0, count: size.pixelCount * channels)
    var failure: PictureError?
    bytes.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      do throws(PictureError) { try fill(base) } catch { failure = error }
    }
    if let failure { throw failure }
    self.init(size: size, channels: channels, bytes: bytes)
  }
}
