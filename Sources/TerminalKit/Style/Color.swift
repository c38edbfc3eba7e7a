/// A colour of a cell: the terminal's own, or an exact one with what stands in for it where the
/// terminal has only sixteen colours.
///
/// Packed into four bytes, because every cell of every frame holds two.
package struct Color: Hashable, Sendable {
  /// Bits 0 to 23 are red, green and blue, bits 24 to 27 the fallback; the flags tell what holds.
  private let bits: UInt32

  private static let isExactFlag: UInt32 = 1 << 31
  private static let hasFallbackFlag: UInt32 = 1 << 30

  private init(bits: UInt32) { self.bits = bits }

  /// The colour the user's terminal has where nothing was chosen.
  package static let terminalDefault = Color(bits: 0)

  /// - Parameters:
  ///   - rgb: the colour; terminals with 256 show the nearest they have.
  ///   - fallback: what terminals with sixteen or eight colours show; nil is the terminal's own.
  /// - Returns: the colour for a style.
  package static func rgb(_ rgb: RGB, fallback: ANSIColor? = nil) -> Color {
    guard let fallback else { return Color(bits: isExactFlag | rgb.hex) }
    return Color(bits: isExactFlag | hasFallbackFlag | UInt32(fallback.rawValue) << 24 | rgb.hex)
  }

  package var isTerminalDefault: Bool { bits == 0 }

  /// The exact colour; nil for the terminal's own.
  package var rgb: RGB? { bits & Self.isExactFlag == 0 ? nil : RGB(hex: bits) }

  /// What stands in for it among sixteen colours; nil for the terminal's own.
  package var fallback: ANSIColor? {
    bits & Self.hasFallbackFlag == 0 ? nil : ANSIColor(rawValue: UInt8(bits >> 24 & 15))
  }
}
