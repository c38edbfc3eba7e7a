import Glibc

/// Colour of a cell: the terminal's default, or an exact one with a fallback for terminals with sixteen
/// colours.
///
/// Packed into four bytes, because every cell of every frame has two.
package struct Color: Hashable, Sendable {
  /// Bits 0 to 23 are red, green and blue, bits 24 to 27 the fallback; two flags say which of them are
  /// set.
  private let bits: UInt32

  private static let isExactFlag: UInt32 = 1 << 31
  private static let hasFallbackFlag: UInt32 = 1 << 30

  private init(bits: UInt32) { self.bits = bits }

  /// The terminal's default colour.
  package static let terminalDefault = Color(bits: 0)

  /// Returns an exact colour; terminals with 256 colours show the nearest, those with sixteen or eight
  /// `fallback`, where nil is their default.
  package static func rgb(_ rgb: RGB, fallback: ANSIColor? = nil) -> Color {
    guard let fallback else { return Color(bits: isExactFlag | rgb.hex) }
    return Color(bits: isExactFlag | hasFallbackFlag | UInt32(fallback.rawValue) << 24 | rgb.hex)
  }

  package var isTerminalDefault: Bool { bits == 0 }

  /// Exact colour; nil for the terminal's default.
  package var rgb: RGB? { bits & Self.isExactFlag == 0 ? nil : RGB(hex: bits) }

  /// Fallback among sixteen colours; nil for the terminal's default.
  package var fallback: ANSIColor? {
    bits & Self.hasFallbackFlag == 0 ? nil : ANSIColor(rawValue: UInt8(bits >> 24 & 15))
  }
}

/// Sixteen named colours of every colour terminal, with values of the user's choice.
///
/// Raw values are palette indices; terminals with eight colours have only the first eight.
package enum ANSIColor: UInt8, Hashable, Sendable {
  case black
  case red
  case green
  case yellow
  case blue
  case magenta
  case cyan
  case white
  case brightBlack
  case brightRed
  case brightGreen
  case brightYellow
  case brightBlue
  case brightMagenta
  case brightCyan
  case brightWhite

  var isBright: Bool { rawValue >= 8 }
}

/// sRGB colour, 0 to 255 per channel.
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

  /// Reads red in bits 16 to 23, green in bits 8 to 15, blue in bits 0 to 7; the rest is ignored.
  package init(hex: UInt32) {
    self.init(
      UInt8(truncatingIfNeeded: hex >> 16), UInt8(truncatingIfNeeded: hex >> 8),
      UInt8(truncatingIfNeeded: hex))
  }

  /// Number as `init(hex:)` reads it.
  package var hex: UInt32 { UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }

  /// Relative luminance (WCAG 2.1): 0 for black, 1 for white.
  var luminance: Double {
    0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue)
  }

  /// Whether black text has more contrast on this background than white text.
  package var isLight: Bool { contrast(with: .black) > contrast(with: .white) }

  /// Returns the contrast ratio (WCAG 2.1) of two colours in either order, 1 to 21.
  package func contrast(with other: RGB) -> Double {
    let lighter = max(luminance, other.luminance)
    let darker = min(luminance, other.luminance)
    return (lighter + 0.05) / (darker + 0.05)
  }

  private static func linear(_ channel: UInt8) -> Double {
    let value = Double(channel) / 255
    return value <= 0.040_45 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }
}
