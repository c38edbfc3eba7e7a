/// Turns sums of light into the sRGB bytes of one row.
struct RowEncoder {
  private let isOpaque: Bool
  /// What a sum is divided by to give light in steps of the table's index.
  private let factor: Float

  /// - Parameters:
  ///   - isOpaque: whether the sums hold light alone, or light times alpha and alpha.
  ///   - area: columns of the source in a sum.
  ///   - height: of a row of the result, in the units of the sums' weights.
  init(isOpaque: Bool, area: Float, height: Int) {
    self.isOpaque = isOpaque
    factor = 1 / (area * Float(height))
  }

  /// - Parameters:
  ///   - sums: of one row.
  ///   - target: 4 bytes for each of them.
  func encode(_ sums: [SIMD4<Float>], to target: UnsafeMutablePointer<UInt8>) {
    LinearLight.value.withUnsafeBufferPointer { value in
      var target = target
      for sum in sums {
        let mean = sum * factor
        let light = (isOpaque ? mean : mean / max(mean.w, .leastNormalMagnitude)) * 0.25
        // One by one: the conversion of a whole vector is a slow call.
        target[0] = value[Int(min(light.x, 16_383))]
        target[1] = value[Int(min(light.y, 16_383))]
        target[2] = value[Int(min(light.z, 16_383))]
        target[3] = isOpaque ? 255 : UInt8(min(255, mean.w + 0.5))
        target += 4
      }
    }
  }
}
