internal import MarketModel

/// Encoder of JPEG files of limited length: in full size if the lowest quality fits, else in a
/// reduced size; then in the highest quality that fits.
struct PhotoCompressor: Sendable {
  /// One of this many bands is encoded to estimate the length of a large photo.
  private static let share = 8

  /// Maximum length of a file in bytes; a single pixel may exceed it.
  private let limit: Int
  /// Below the lower bound, blocking artefacts are more visible than a smaller size.
  private let qualities: ClosedRange<Int>

  /// Creates a compressor; `best` is the highest quality that is tried, 75 to 100.
  init(limit: Int, best: Int = 95) {
    self.limit = limit
    qualities = 75...best
  }

  /// Compresses a photo to at most `limit` bytes.
  ///
  /// - Throws: `.cancelled` where the current task is cancelled; otherwise what
  ///   `JPEGEncoder.encode(quality:)` throws.
  func compress(_ photo: PhotoPixels) throws(PictureError) -> PhotoFile {
    var size = photo.size
    if let length = try estimatedLength(of: photo), length > limit * 5 / 4 {
      size = reduced(size, of: length)
    }
    var encoder = JPEGEncoder(photo.bitmap(size))
    // Few pixels mostly fit in the best quality, which the search would reach last.
    if size.pixelCount * 4 <= limit * (100 - qualities.upperBound) {
      let file = try encoder.encode(quality: qualities.upperBound)
      if file.count <= limit { return PhotoFile(bytes: file, format: .jpeg, size: size) }
    }
    var file = try encoder.encode(quality: qualities.lowerBound)
    while file.count > limit, size.pixelCount > 1 {
      if Task.isCancelled { throw .cancelled }
      size = reduced(size, of: file.count)
      encoder = JPEGEncoder(photo.bitmap(size))
      file = try encoder.encode(quality: qualities.lowerBound)
    }
    return PhotoFile(bytes: try best(encoder, from: file), format: .jpeg, size: size)
  }

  /// Returns a size that should fit the limit, where `size` has a file of `length` bytes.
  private func reduced(_ size: PixelSize, of length: Int) -> PixelSize {
    // Smaller pictures have more bytes per pixel; aiming lower saves further steps.
    size.scaled(by: (Double(limit) / Double(length)).squareRoot() * 0.97)
  }

  /// Estimated length in bytes of the whole photo's file; nil for a small photo, which is encoded as
  /// quickly.
  private func estimatedLength(of photo: PhotoPixels) throws(PictureError) -> Int? {
    guard let sample = photo.sample(share: Self.share) else { return nil }
    let file = try JPEGEncoder(sample).encode(quality: qualities.lowerBound)
    return file.count * photo.size.pixelCount / sample.size.pixelCount
  }

  /// Returns the file of the highest quality that fits, found by binary search.
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
