internal import CWebP
internal import MarketModel

/// Decoder of WebP, lossy and lossless, which reduces on the way.
struct WebPDecoder {
  private let bytes: [UInt8]
  private let header: WebPHeader
  private let size: PixelSize

  /// Decodes a bare file to a size of at most that of the picture, of which one that does not fill its
  /// canvas is that size.
  init(_ bytes: [UInt8], header: WebPHeader, size: PixelSize) {
    self.bytes = bytes
    self.header = header
    self.size = size
  }

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
        // Edges between blocks disappear anyway in a picture that is scaled twice to its half.
        config.options.bypass_filtering = size.width * 2 <= header.size.width ? 1 : 0
      }
      guard WebPDecode(bytes, bytes.count, &config) != VP8_STATUS_OK else { return }
      // Of a file that is cut off that is all there is.
      guard header.isCut, target.hasContent(size.pixelCount * channels) else {
        throw .undecodable
      }
    }
  }
}
