import Glibc

/// Colour of a cell: the terminal's own, or an exact one with what stands in for it where the
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

  /// An exact colour; terminals with 256 show the nearest they have, and those with sixteen or
  /// eight show `fallback`, of which nil is the terminal's own.
  package static func rgb(_ rgb: RGB, fallback: ANSIColor? = nil) -> Color {
    guard let fallback else { return Color(bits: isExactFlag | rgb.hex) }
    return Color(bits: isExactFlag | hasFallbackFlag | UInt32(fallback.rawValue) << 24 | rgb.hex)
  }

  package var isTerminalDefault: Bool { bits == 0 }

  /// The exact colour; nil for the terminal's own.
  package var rgb: RGB? { bits & Self.isExactFlag == 0 ? nil : RGB(hex: bits) }

  /// The stand-in among sixteen colours; nil for the terminal's own.
  package var fallback: ANSIColor? {
    bits & Self.hasFallbackFlag == 0 ? nil : ANSIColor(rawValue: UInt8(bits >> 24 & 15))
  }
}

/// The sixteen colours that every colour terminal names; users choose what they look like.
///
/// The raw values are the palette's indices. Terminals with eight colours have the first eight only.
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

/// Colour as amounts of red, green and blue in sRGB, 0 to 255 each.
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

  /// The same number that `init(hex:)` takes.
  package var hex: UInt32 { UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }

  /// Relative luminance (WCAG 2.1): 0 for black, 1 for white.
  var luminance: Double {
    0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue)
  }

  /// Whether dark text reads better on this ground than light text.
  package var isLight: Bool { contrast(with: .black) > contrast(with: .white) }

  /// The contrast ratio of the two colours, 1 to 21, whichever is the lighter.
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
