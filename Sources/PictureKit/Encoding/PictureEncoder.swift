package import MarketModel

/// Makes picture files of bitmaps, with nothing in them but pixels.
package enum PictureEncoder {
  /// Encodes as JPEG, with white where the bitmap is transparent.
  ///
  /// - Parameters:
  ///   - bitmap: at most 65,535 pixels on each side.
  ///   - quality: 1 to 100.
  /// - Returns: a baseline file with halved colour resolution.
  /// - Throws: `PictureError.tooLarge` where the bitmap is more than the format holds.
  package static func jpeg(_ bitmap: Bitmap, quality: Int) throws(PictureError) -> [UInt8] {
    try JPEGEncoder(bitmap).encode(quality: quality)
  }

  /// Encodes as PNG quickly, not as small as may be, with 3 or 4 channels as needed.
  ///
  /// - Parameter bitmap: any.
  /// - Returns: the file.
  /// - Throws: `PictureError.tooLarge` where memory is short.
  package static func png(_ bitmap: Bitmap) throws(PictureError) -> [UInt8] {
    try PNGEncoder(bitmap).encode()
  }
}
