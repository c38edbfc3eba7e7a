/// A size in pixels; both sides are 1 or more where a picture has one.
package struct PixelSize: Hashable, Sendable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  package var pixelCount: Int { width * height }

  /// The largest size of this shape that fits into `bounds`; each side at least 1.
  package func fitted(into bounds: PixelSize) -> PixelSize {
    guard width > 0, height > 0 else { return PixelSize(width: 1, height: 1) }
    let scale = min(
      Double(bounds.width) / Double(width), Double(bounds.height) / Double(height))
    return PixelSize(
      width: max(1, min(bounds.width, Int((Double(width) * scale).rounded()))),
      height: max(1, min(bounds.height, Int((Double(height) * scale).rounded()))))
  }
}
