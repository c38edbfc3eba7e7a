internal import CPng
internal import MarketModel

/// Encoder of one bitmap as PNG, through libpng's simplified interface.
struct PNGEncoder {
  private let size: PixelSize
  private let channels: Int
  private let pixels: [UInt8]

  init(_ bitmap: Bitmap) {
    size = bitmap.size
    channels = bitmap.isOpaque ? 3 : 4
    pixels = bitmap.isOpaque ? bitmap.onWhite() : bitmap.pixels
  }

  func encode() throws(PictureError) -> [UInt8] {
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    image.width = png_uint_32(size.width)
    image.height = png_uint_32(size.height)
    image.format = PNG_FORMAT_FLAG_COLOR | (channels == 4 ? PNG_FORMAT_FLAG_ALPHA : 0)
    image.flags = png_uint_32(PNG_IMAGE_FLAG_FAST)
    defer { png_image_free(&image) }
    var count = sizeLimit
    var isWritten = false
    let file = [UInt8](unsafeUninitializedCapacity: count) { target, initialized in
      isWritten =
        png_image_write_to_memory(&image, target.baseAddress, &count, 0, pixels, 0, nil) != 0
      initialized = isWritten ? count : 0
    }
    guard isWritten else { throw .tooLarge }
    return file
  }

  /// What the file may take at most: zlib's worst case and a frame for each 8 KB of it.
  private var sizeLimit: Int {
    let raw = size.height * (1 + size.width * channels)
    return raw + raw / 256 + 1_024
  }
}
