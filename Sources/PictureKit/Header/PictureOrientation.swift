internal import MarketModel

/// How the rows and columns of a file lie in the picture one sees: the values of EXIF tag 0x0112.
///
/// Named after what brings the stored pixels upright.
package enum PictureOrientation: Int, Hashable, Sendable, CaseIterable {
  case upright = 1
  case mirror
  case turnHalf
  case flip
  /// Mirrored on the diagonal from the top left.
  case transpose
  case turnRight
  /// Mirrored on the diagonal from the top right.
  case transverse
  case turnLeft

  /// Whether width and height change places.
  var swapsSides: Bool { rawValue >= Self.transpose.rawValue }

  /// The size of the upright picture for a stored one, and the other way round.
  func applied(to size: PixelSize) -> PixelSize {
    swapsSides ? PixelSize(width: size.height, height: size.width) : size
  }
}
