package import MarketModel

/// A picture file of a known format and size.
package struct PhotoFile: Hashable, Sendable {
  package let bytes: [UInt8]
  package let format: PictureFormat
  /// Size of the upright picture.
  package let size: PixelSize
}
