package import MarketModel

/// Encoder of bitmaps as picture files with nothing in them but pixels.
package enum PictureEncoder {
  /// Encodes as baseline JPEG with halved colour resolution in a quality of 1 to 100, with white
  /// where the bitmap is transparent.
  ///
  /// - Throws: `PictureError.tooLarge` where a side has more than 65,535 pixels.
  package static func jpeg(_ bitmap: Bitmap, quality: Int) throws(PictureError) -> [UInt8] {
    try JPEGEncoder(bitmap).encode(quality: quality)
  }

  /// Encodes as PNG quickly, not as small as may be, with 3 or 4 channels as needed.
  ///
  /// - Throws: `PictureError.tooLarge` where memory is short.
  package static func png(_ bitmap: Bitmap) throws(PictureError) -> [UInt8] {
    try PNGEncoder(bitmap).encode()
  }
}

extension Bitmap {
  var isOpaque: Bool {
    stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 255 }
  }

  /// Three bytes a pixel, with white where the picture is transparent.
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
