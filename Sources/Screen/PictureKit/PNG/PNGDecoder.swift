internal import CPng
internal import MarketModel

/// Decoder of PNG of every kind to 8 bits a channel, through libpng's simplified interface.
struct PNGDecoder {
  private let bytes: [UInt8]
  private let header: PNGHeader

  /// Decodes a bare file: libpng would hold the texts of any other.
  init(_ bytes: [UInt8], header: PNGHeader) {
    self.bytes = bytes
    self.header = header
  }

  func decode() throws(PictureError) -> RawPixels {
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    defer { png_image_free(&image) }
    return try bytes.withUnsafeBufferPointer { file throws(PictureError) in
      guard png_image_begin_read_from_memory(&image, file.baseAddress, file.count) != 0,
        image.width == header.size.width, image.height == header.size.height
      else { throw .undecodable }
      // Without a gamma of its own, 16 bits mean what 8 bits mean.
      image.flags |= png_uint_32(PNG_IMAGE_FLAG_16BIT_sRGB)
      image.format = PNG_FORMAT_FLAG_COLOR | (header.hasAlpha ? PNG_FORMAT_FLAG_ALPHA : 0)
      return try RawPixels(size: header.size, channels: header.hasAlpha ? 4 : 3) {
        target throws(PictureError) in
        guard png_image_finish_read(&image, nil, target, 0, nil) != 0 else { throw .undecodable }
      }
    }
  }
}
