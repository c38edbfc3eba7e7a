internal import MarketModel

/// How a picture is brought into a box.
package enum Framing: Hashable, Sendable {
  /// The whole picture, in its shape, as large as the box allows.
  case fit
  /// The box exactly; what sticks out is cut off on both sides alike.
  case fill

  /// Size of the result for a picture of `size`.
  func result(of size: PixelSize, in box: PixelSize) -> PixelSize {
    self == .fit ? size.fitted(into: box) : box
  }

  /// Size of the whole picture at the result's scale, what is cut off included.
  func scaled(_ size: PixelSize, in box: PixelSize) -> PixelSize {
    guard self == .fill else { return size.fitted(into: box) }
    let visible = box.fitted(into: size)
    return PixelSize(
      width: size.width * box.width / max(1, visible.width),
      height: size.height * box.height / max(1, visible.height))
  }
}
