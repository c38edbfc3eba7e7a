internal import Glibc

/// The sRGB transfer curve as tables (IEC 61966-2-1): mixing light needs values that are
/// proportional to it.
enum LinearLight {
  /// For each sRGB value its light, 0 to 65,535.
  static let light: [UInt32] = (0...255).map {
    UInt32((light(of: Double($0) / 255) * 65_535).rounded())
  }

  /// For light in steps of 4, 0 to 65,535, the nearest sRGB value.
  static let value: [UInt8] = {
    var table: [UInt8] = []
    for value in 0..<255 {
      let border = Int(light(of: (Double(value) + 0.5) / 255) * 16_383) + 1
      table.append(contentsOf: repeatElement(UInt8(value), count: border - table.count))
    }
    return table + repeatElement(255, count: 16_384 - table.count)
  }()

  private static func light(of value: Double) -> Double {
    value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }
}
