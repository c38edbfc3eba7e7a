internal import CPng
internal import MarketModel

/// Decoder of every PNG variant to 8 bits per channel, through libpng's simplified interface.
struct PNGDecoder {
  private let bytes: [UInt8]
  private let header: PNGHeader

  /// Creates a decoder of a bare file; for any other, libpng would hold its text chunks in memory.
  init(_ bytes: [UInt8], header: PNGHeader) {
    self.bytes = bytes
    self.header = header
  }

  /// Decodes all pixels.
  ///
  /// - Throws: `.undecodable` where libpng rejects the file, unless the header says that it is
  ///   truncated and a pixel was decoded.
  func decode() throws(PictureError) -> RawPixels {
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    defer { png_image_free(&image) }
    return try bytes.withUnsafeBufferPointer { file throws(PictureError) in
      guard png_image_begin_read_from_memory(&image, file.baseAddress, file.count) != 0,
        image.width == header.size.width, image.height == header.size.height
      else { throw .undecodable }
      // Without a gAMA chunk, 16-bit channels are sRGB like 8-bit ones.
      image.flags |= png_uint_32(PNG_IMAGE_FLAG_16BIT_sRGB)
      image.format = PNG_FORMAT_FLAG_COLOR | (header.hasAlpha ? PNG_FORMAT_FLAG_ALPHA : 0)
      return try RawPixels(size: header.size, channels: header.hasAlpha ? 4 : 3) {
        target throws(PictureError) in
        guard png_image_finish_read(&image, nil, target, 0, nil) == 0 else { return }
        // A truncated file has no further rows; the rest stays transparent.
        guard header.isCut, target.hasContent(header.size.pixelCount * 4) else {
          throw .undecodable
        }
      }
    }
  }
}

/// Encoder of one bitmap as PNG, through libpng's simplified interface.
struct PNGEncoder {
  private let size: PixelSize
  private let channels: Int
  private let pixels: [UInt8]
  /// Red, green and blue of the colours that `pixels` are indices of; empty where they are colours.
  private let palette: [UInt8]

  /// Creates an encoder of pixels that are indices of a palette of red, green and blue.
  init(indices: [UInt8], palette: [UInt8], size: PixelSize) {
    self.size = size
    channels = 1
    pixels = indices
    self.palette = palette
  }

  init(_ bitmap: Bitmap) {
    size = bitmap.size
    palette = []
    channels = bitmap.isOpaque ? 3 : 4
    pixels = bitmap.isOpaque ? bitmap.onWhite() : bitmap.pixels
  }

  /// Encodes with fast compression.
  ///
  /// - Throws: `.tooLarge` where libpng fails, as for want of memory.
  func encode() throws(PictureError) -> [UInt8] {
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    image.width = png_uint_32(size.width)
    image.height = png_uint_32(size.height)
    image.format = PNG_FORMAT_FLAG_COLOR | (channels == 4 ? PNG_FORMAT_FLAG_ALPHA : 0)
    if channels == 1 { image.format |= PNG_FORMAT_FLAG_COLORMAP }
    image.colormap_entries = png_uint_32(palette.count / 3)
    image.flags = png_uint_32(PNG_IMAGE_FLAG_FAST)
    defer { png_image_free(&image) }
    var count = sizeLimit
    var isWritten = false
    let file = [UInt8](unsafeUninitializedCapacity: count) { target, initialized in
      isWritten =
        png_image_write_to_memory(&image, target.baseAddress, &count, 0, pixels, 0, palette) != 0
      initialized = isWritten ? count : 0
    }
    guard isWritten else { throw .tooLarge }
    return file
  }

  /// Maximum bytes of the file: zlib's worst case, and a chunk header for each 8 KB.
  private var sizeLimit: Int {
    let raw = size.height * (1 + size.width * channels)
    return raw + raw / 256 + palette.count + 1_024
  }
}
