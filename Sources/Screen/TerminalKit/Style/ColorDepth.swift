/// Number of colours that the terminal shows, in ascending order.
package enum ColorDepth: Int, Comparable, Sendable {
  /// No colours, or the user refuses them; only attributes differ.
  case none
  case ansi8
  case ansi16
  case palette256
  /// 24 bits per colour.
  case direct

  package static func < (left: ColorDepth, right: ColorDepth) -> Bool {
    left.rawValue < right.rawValue
  }

  /// Creates the depth for a number of colours from terminfo or the terminal; numbers between 256 and
  /// 2²⁴ count as 256, because they may be colour pairs.
  init(count: Int) {
    self =
      switch count {
      case ..<8: .none
      case ..<16: .ansi8
      case ..<256: .ansi16
      case ..<(1 << 24): .palette256
      default: .direct
      }
  }

  /// Returns the number of a colour at this depth; -1 is the terminal's default.
  func number(of color: Color) -> Int32 {
    switch self {
    case .none: return -1
    case .ansi8:
      // With eight colours, grey is the default foreground: white would vanish on a light background.
      guard let fallback = color.fallback, fallback != .brightBlack else { return -1 }
      return Int32(fallback.rawValue & 7)
    case .ansi16: return color.fallback.map { Int32($0.rawValue) } ?? -1
    case .palette256: return color.rgb.map(Palette.nearest) ?? -1
    case .direct:
      // The embedded entry for direct colour takes numbers below 256 as palette indices, which needs
      // half the bytes; a blue with such a value that is not that palette colour gets a trace of green.
      return color.rgb.map { Palette.index(of: $0) ?? max(0x100, Int32($0.hex)) } ?? -1
    }
  }
}

/// xterm's palette of 256 colours: 16 of the user's choice, a cube of 6 × 6 × 6, and 24 greys.
enum Palette {
  /// Returns the index of a colour that is exactly in the cube or the greys; nil for any other.
  static func index(of color: RGB) -> Int32? {
    let index = nearest(to: color)
    return self.color(index) == color ? index : nil
  }

  /// Returns the colour of an index from 16 on.
  static func color(_ index: Int32) -> RGB {
    func channel(_ level: Int32) -> UInt8 { UInt8(amount(level)) }
    if index >= 232 {
      let shade = UInt8(8 + 10 * (index - 232))
      return RGB(shade, shade, shade)
    }
    let cube = index - 16
    return RGB(channel(cube / 36), channel(cube / 6 % 6), channel(cube % 6))
  }

  /// Returns the index of the nearest colour of the cube or the greys.
  static func nearest(to color: RGB) -> Int32 {
    let red = level(color.red)
    let green = level(color.green)
    let blue = level(color.blue)
    let average = (Int32(color.red) + Int32(color.green) + Int32(color.blue)) / 3
    let gray = min(23, max(0, (average - 3) / 10))
    let inCube = distance(color, amount(red), amount(green), amount(blue))
    let shade = 8 + 10 * gray
    let inGrays = distance(color, shade, shade, shade)
    return inGrays < inCube ? 232 + gray : 16 + 36 * red + 6 * green + blue
  }

  /// Returns the index of the nearest value among 0, 95, 135, 175, 215, 255.
  private static func level(_ channel: UInt8) -> Int32 {
    switch channel {
    case ..<48: 0
    case ..<115: 1
    default: (Int32(channel) - 35) / 40
    }
  }

  private static func amount(_ level: Int32) -> Int32 { level == 0 ? 0 : 55 + 40 * level }

  private static func distance(_ color: RGB, _ red: Int32, _ green: Int32, _ blue: Int32) -> Int32 {
    let red = Int32(color.red) - red
    let green = Int32(color.green) - green
    let blue = Int32(color.blue) - blue
    return red * red + green * green + blue * blue
  }
}
