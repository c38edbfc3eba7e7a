package import MarketModel

/// Cleaner of photos: makes an upright file of the same still picture without metadata and further
/// frames, losslessly where possible.
package struct PhotoCleaner: Sendable {
  private let decoder: PictureDecoder
  private let compressor: PhotoCompressor

  /// Creates a cleaner; `byteLimit` is the maximum length in bytes of a file that has to be encoded
  /// again.
  package init(limits: DecodingLimits = DecodingLimits(), byteLimit: Int = 300_000) {
    decoder = PictureDecoder(limits: limits)
    compressor = PhotoCompressor(limit: byteLimit)
  }

  /// Returns a clean file in the same format; JPEG where it had to be encoded again, as a truncated
  /// file.
  ///
  /// - Throws: `.undecodable` for an unknown format or broken data; `.tooLarge` where a limit is
  ///   exceeded; `.cancelled` where the current task is cancelled while the file is encoded again.
  package func clean(_ bytes: [UInt8]) throws(PictureError) -> PhotoFile {
    let header = try DecodingPlan(
      bytes, box: PixelSize(width: 1, height: 1), framing: .fit, limits: decoder.limits
    ).header
    let colors = ColorConversion(header, bytes)
    var photo =
      if let kept = kept(bytes, header, colors) { kept } else {
        try compressor.compress(decoder.decodeLargest(bytes))
      }
    photo.isCut = header.isCut(bytes)
    photo.colorFlaw = colors.flaw
    return photo
  }

  /// Returns a file with the coded pixels as they are; nil where they have to be encoded again.
  private func kept(
    _ bytes: [UInt8], _ header: PictureHeader, _ colors: ColorConversion
  ) -> PhotoFile? {
    guard colors.transform == nil, header.hasPlainGamma, let bare = header.bareFile(from: bytes)
    else { return nil }
    let upright = header.orientation == .upright ? bare : transformed(bare, header)
    return upright.map { PhotoFile(bytes: $0, format: header.format, size: header.size) }
  }

  /// Returns the upright file; nil where the picture cannot be turned without loss or within half of
  /// the memory limit.
  private func transformed(_ bare: [UInt8], _ header: PictureHeader) -> [UInt8]? {
    guard case .jpeg(let jpeg) = header.coding,
      jpeg.frame.coefficientBytes * 2 <= decoder.limits.memory
    else { return nil }
    return try? JPEGTransform.upright(bare, header.orientation)
  }
}

/// Picture file of a known format and size.
package struct PhotoFile: Hashable, Sendable {
  package let bytes: [UInt8]
  package let format: PictureFormat
  /// Size of the upright picture.
  package let size: PixelSize
  /// Whether it was made from a truncated file.
  package internal(set) var isCut = false
  /// Reason why the description of its colors was not followed; nil where it was or there is none.
  package internal(set) var colorFlaw: ColorFlaw?
}
