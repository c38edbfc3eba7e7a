internal import MarketModel

/// Encoder of JPEG files of limited length: in full size if a good quality allows it, else as large
/// as it does, and then in the best quality that still fits.
struct PhotoCompressor: Sendable {
  /// The part of a large photo by which its length is estimated: one of so many.
  private static let share = 8

  private let limit: Int
  /// Below the lower one, blocks show more than a loss of size would.
  private let qualities: ClosedRange<Int>

  /// Takes the bytes of a file at most, and the quality of 75 to 100 above which bytes are wasted.
  init(limit: Int, best: Int = 95) {
    self.limit = limit
    qualities = 75...best
  }

  func compress(_ photo: PhotoPixels) throws(PictureError) -> PhotoFile {
    var size = photo.size
    if let length = try estimatedLength(of: photo), length > limit * 5 / 4 {
      size = reduced(size, of: length)
    }
    var encoder = JPEGEncoder(photo.bitmap(size))
    var file = try encoder.encode(quality: qualities.lowerBound)
    while file.count > limit, size.pixelCount > 1 {
      if Task.isCancelled { throw .cancelled }
      size = reduced(size, of: file.count)
      encoder = JPEGEncoder(photo.bitmap(size))
      file = try encoder.encode(quality: qualities.lowerBound)
    }
    return PhotoFile(bytes: try best(encoder, from: file), format: .jpeg, size: size)
  }

  /// The size of a photo that is to fit where one of `size` has so many bytes.
  private func reduced(_ size: PixelSize, of length: Int) -> PixelSize {
    // Smaller pictures have more bytes a pixel: aim a little lower, so that few steps do.
    size.scaled(by: (Double(limit) / Double(length)).squareRoot() * 0.97)
  }

  /// About how long the file of the whole photo would be; nil for a small one, which is encoded as
  /// quickly.
  private func estimatedLength(of photo: PhotoPixels) throws(PictureError) -> Int? {
    guard let sample = photo.sample(share: Self.share) else { return nil }
    let file = try JPEGEncoder(sample).encode(quality: qualities.lowerBound)
    return file.count * photo.size.pixelCount / sample.size.pixelCount
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
