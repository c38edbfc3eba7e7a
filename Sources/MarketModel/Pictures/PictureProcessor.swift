/// The port that makes a stranger's picture file fit to be kept: checks it by its bytes, applies
/// its orientation, drops its metadata and makes its thumbnail.
package protocol PictureProcessor: Sendable {
  /// - Parameter bytes: an uploaded file.
  /// - Returns: what a store keeps.
  /// - Throws: `PictureError.undecodable` or `.tooLarge`.
  func prepare(_ bytes: [UInt8]) async throws(PictureError) -> PreparedPicture
}

/// A picture file that is fit to be kept, with its thumbnail.
package struct PreparedPicture: Hashable, Sendable {
  package let bytes: [UInt8]
  package let format: PictureFormat
  package let size: PixelSize
  package let thumbnail: [UInt8]

  package init(bytes: [UInt8], format: PictureFormat, size: PixelSize, thumbnail: [UInt8]) {
    self.bytes = bytes
    self.format = format
    self.size = size
    self.thumbnail = thumbnail
  }
}
