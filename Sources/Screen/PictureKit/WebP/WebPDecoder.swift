internal import CWebP
internal import MarketModel

/// Decoder of lossy and lossless WebP, with scaling during decoding.
struct WebPDecoder {
  private let bytes: [UInt8]
  private let header: WebPHeader
  private let size: PixelSize

  /// Creates a decoder of a bare file to `size`, at most the picture's size; a picture that does not
  /// fill its canvas is decoded unscaled.
  init(_ bytes: [UInt8], header: WebPHeader, size: PixelSize) {
    self.bytes = bytes
    self.header = header
    self.size = size
  }

  /// Decodes all pixels.
  ///
  /// - Throws: `.undecodable` where libwebp rejects the file, unless the header says that it is
  ///   truncated and a pixel was decoded.
  func decode() throws(PictureError) -> RawPixels {
    let channels = header.hasAlpha ? 4 : 3
    return try RawPixels(size: size, channels: channels) { target throws(PictureError) in
      var config = WebPDecoderConfig()
      guard WebPInitDecoderConfig(&config) != 0 else { throw .undecodable }
      config.output.colorspace = header.hasAlpha ? MODE_RGBA : MODE_RGB
      config.output.is_external_memory = 1
      let position =
        header.fillsCanvas
        ? 0
        : (header.frame.rows.lowerBound * size.width + header.frame.columns.lowerBound) * channels
      config.output.u.RGBA.rgba = target + position
      config.output.u.RGBA.stride = Int32(size.width * channels)
      config.output.u.RGBA.size = size.pixelCount * channels - position
      if size != header.size {
        config.options.use_scaling = 1
        config.options.scaled_width = Int32(size.width)
        config.options.scaled_height = Int32(size.height)
        // Block edges are invisible in a picture that is scaled to half or less.
        config.options.bypass_filtering = size.width * 2 <= header.size.width ? 1 : 0
      }
      guard WebPDecode(bytes, bytes.count, &config) != VP8_STATUS_OK else { return }
      // A truncated file has no further rows; the rest stays transparent.
      guard header.isCut, target.hasContent(size.pixelCount * channels) else {
        throw .undecodable
      }
    }
  }
}
