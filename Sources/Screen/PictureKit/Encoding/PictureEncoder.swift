package import MarketModel

/// Encoder of bitmaps as picture files without metadata.
package enum PictureEncoder {
  /// Encodes as baseline JPEG with 4:2:0 subsampling, in a quality of 1 to 100, on white where the
  /// bitmap is transparent.
  ///
  /// - Throws: `.tooLarge` where a side has more than 65,535 pixels or libjpeg-turbo lacks memory.
  package static func jpeg(_ bitmap: Bitmap, quality: Int) throws(PictureError) -> [UInt8] {
    try JPEGEncoder(bitmap).encode(quality: quality)
  }

  /// Encodes as PNG with fast compression, in 3 channels for an opaque bitmap, else 4.
  ///
  /// - Throws: `.tooLarge` where libpng fails, as for want of memory.
  package static func png(_ bitmap: Bitmap) throws(PictureError) -> [UInt8] {
    try PNGEncoder(bitmap).encode()
  }

  /// Encodes indices of a palette of red, green and blue, one byte each, as PNG.
  ///
  /// - Throws: `.tooLarge` where libpng fails, as for want of memory.
  package static func png(
    indices: [UInt8], palette: [UInt8], size: PixelSize
  ) throws(PictureError) -> [UInt8] {
    try PNGEncoder(indices: indices, palette: palette, size: size).encode()
  }
}

extension Bitmap {
  package var isOpaque: Bool {
    stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 255 }
  }

  /// Returns three bytes per pixel, blended with white where the picture is transparent.
  func onWhite() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: size.pixelCount * 3) { target, count in
      pixels.withUnsafeBufferPointer { source in
        for index in 0..<size.pixelCount {
          let alpha = UInt32(source[index * 4 + 3])
          for channel in 0..<3 {
            let value = source[index * 4 + channel]
            target[index * 3 + channel] =
              alpha == 255
              ? value : UInt8((UInt32(value) * alpha + 255 * (255 - alpha) + 127) / 255)
          }
        }
      }
      count = size.pixelCount * 3
    }
  }
}
