/// Nearest colours of xterm's 256 for pictures, in which a wrong hue is worse than a wrong lightness.
enum PicturePalette {
  /// Weight of the squared error of the luma beside that of the other channels' distances from it.
  private static let lumaWeight: Float = 1.3

  /// Returns the colour of the cube or the greys that looks nearest to a colour of 0 to 255.
  static func nearest(to color: SIMD4<Float>) -> Color {
    let (red, green, blue) = (Levels(color.x), Levels(color.y), Levels(color.z))
    let luma = Luma.value(of: color)
    var best = (color: SIMD4<Float>.zero, error: Float.infinity)
    func consider(_ candidate: SIMD4<Float>) {
      let difference = candidate - color
      let light = Luma.value(of: difference)
      var hue = difference - light
      hue.w = 0
      let error = light * light * lumaWeight + (hue * hue).sum()
      if error < best.error { best = (candidate, error) }
    }
    for index in 0..<8 {
      consider(
        SIMD4(
          index & 1 == 0 ? red.below : red.above, index & 2 == 0 ? green.below : green.above,
          index & 4 == 0 ? blue.below : blue.above, 0))
    }
    let shade = 8 + 10 * ((luma - 8) / 10).rounded()
    let gray = min(max(shade, 8), 238)
    consider(SIMD4(gray, gray, gray, 0))
    return .rgb(RGB(UInt8(best.color.x), UInt8(best.color.y), UInt8(best.color.z)))
  }

  /// Values of the cube on both sides of a channel's value.
  private struct Levels {
    let below: Float
    let above: Float

    init(_ value: Float) {
      let step = min(max((value - 55) / 40, 0).rounded(.down), 4)
      below = step == 0 ? (value < 95 ? 0 : 95) : 55 + 40 * step
      above = step == 0 ? (value < 95 ? 95 : 135) : 95 + 40 * step
    }
  }
}
