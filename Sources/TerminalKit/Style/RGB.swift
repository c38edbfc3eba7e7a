/// A colour as amounts of red, green and blue in sRGB, 0 to 255 each.
package struct RGB: Hashable, Sendable {
  package var red: UInt8
  package var green: UInt8
  package var blue: UInt8

  package static let black = RGB(0, 0, 0)
  package static let white = RGB(255, 255, 255)

  package init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// - Parameter hex: red in bits 16 to 23, green in bits 8 to 15, blue in bits 0 to 7; the rest is
  ///   ignored.
  package init(hex: UInt32) {
    self.init(
      UInt8(truncatingIfNeeded: hex >> 16), UInt8(truncatingIfNeeded: hex >> 8),
      UInt8(truncatingIfNeeded: hex))
  }

  /// The same number that `init(hex:)` takes.
  package var hex: UInt32 { UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }
}
