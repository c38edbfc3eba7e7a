package import MarketModel

/// Cleaner of photos: makes a file that shows the same still picture upright by itself, without
/// metadata and further frames, and without loss where that is possible.
package struct PhotoCleaner: Sendable {
  private let decoder: PictureDecoder
  private let compressor: PhotoCompressor

  /// Takes the length in bytes that a file may have which has to be encoded again.
  package init(limits: DecodingLimits = DecodingLimits(), byteLimit: Int = 300_000) {
    decoder = PictureDecoder(limits: limits)
    compressor = PhotoCompressor(limit: byteLimit)
  }

  /// A clean file in the same format, or JPEG where it had to be encoded again.
  ///
  /// - Throws: `PictureError.undecodable` or `.tooLarge`.
  package func clean(_ bytes: [UInt8]) throws(PictureError) -> PhotoFile {
    let header = try DecodingPlan(
      bytes, box: PixelSize(width: 1, height: 1), framing: .fit, limits: decoder.limits
    ).header
    let bare = try header.bareFile(from: bytes)
    guard header.orientation != .upright else {
      return PhotoFile(bytes: bare, format: header.format, size: header.size)
    }
    if let upright = transformed(bare, header) {
      return PhotoFile(bytes: upright, format: header.format, size: header.size)
    }
    return try compressor.compress(decoder.decodeLargest(bytes))
  }

  /// The upright file; nil where the picture cannot be turned without loss.
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
}

/// Encoder of JPEG files of limited length: in full size if a good quality allows it, else as large
/// as it does, and then in the best quality that still fits.
struct PhotoCompressor: Sendable {
  private let limit: Int
  /// Below the lower one, blocks show more than a loss of size would.
  private let qualities: ClosedRange<Int>

  /// Takes the bytes of a file at most, and the quality of 75 to 100 above which bytes are wasted.
  init(limit: Int, best: Int = 95) {
    self.limit = limit
    qualities = 75...best
  }

  func compress(_ bitmap: Bitmap) throws(PictureError) -> PhotoFile {
    var scaled = bitmap
    var encoder = JPEGEncoder(scaled)
    var file = try encoder.encode(quality: qualities.lowerBound)
    while file.count > limit, scaled.size.pixelCount > 1 {
      if Task.isCancelled { throw .cancelled }
      // Smaller pictures have more bytes a pixel: aim a little lower, so that few steps do.
      let ratio = (Double(limit) / Double(file.count)).squareRoot() * 0.97
      scaled = bitmap.scaled(to: scaled.size.scaled(by: ratio))
      encoder = JPEGEncoder(scaled)
      file = try encoder.encode(quality: qualities.lowerBound)
    }
    return PhotoFile(bytes: try best(encoder, from: file), format: .jpeg, size: scaled.size)
  }

  /// Searches by halves for the best quality whose file fits.
  private func best(_ encoder: JPEGEncoder, from lowest: [UInt8]) throws(PictureError) -> [UInt8] {
    var best = lowest
    var low = qualities.lowerBound
    var high = qualities.upperBound
    while low < high {
      if Task.isCancelled { throw .cancelled }
      let quality = (low + high + 1) / 2
      let file = try encoder.encode(quality: quality)
      if file.count <= limit {
        best = file
        low = quality
      } else {
        high = quality - 1
      }
    }
    return best
  }
}
