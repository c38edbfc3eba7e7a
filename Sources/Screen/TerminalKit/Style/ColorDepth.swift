/// Number of colours that the terminal shows, in rising order.
package enum ColorDepth: Int, Comparable, Sendable {
  /// No colours, or the user wants none: attributes alone tell things apart.
  case none
  case ansi8
  case ansi16
  case palette256
  /// 24 bits a colour.
  case direct

  package static func < (left: ColorDepth, right: ColorDepth) -> Bool {
    left.rawValue < right.rawValue
  }

  /// Takes how many colours terminfo or a terminal counts; more than 256 may be pairs of bytes.
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

  /// The number that terminals of this depth have for a colour; -1 is their own.
  func number(of color: Color) -> Int32 {
    switch self {
    case .none: return -1
    case .ansi8:
      // Without bright colours, grey is the text's own colour: white would vanish on a light ground.
      guard let fallback = color.fallback, fallback != .brightBlack else { return -1 }
      return Int32(fallback.rawValue & 7)
    case .ansi16: return color.fallback.map { Int32($0.rawValue) } ?? -1
    case .palette256: return color.rgb.map(Palette.nearest) ?? -1
    case .direct:
      // Our entry for direct colour takes numbers below 256 as the palette's, which says the same
      // colours in half the bytes; a blue that has such a number without being one of them gets a
      // trace of green.
      return color.rgb.map { Palette.index(of: $0) ?? max(0x100, Int32($0.hex)) } ?? -1
    }
  }
}

/// Palette of xterm's 256 colours: 16 that users choose, a cube of 6 x 6 x 6, and 24 greys.
enum Palette {
  /// The colour itself, where the cube or the greys have it.
  static func index(of color: RGB) -> Int32? {
    let index = nearest(to: color)
    return self.color(index) == color ? index : nil
  }

  /// The colour of an index from 16 on.
  static func color(_ index: Int32) -> RGB {
    func channel(_ level: Int32) -> UInt8 { UInt8(amount(level)) }
    if index >= 232 {
      let shade = UInt8(8 + 10 * (index - 232))
      return RGB(shade, shade, shade)
    }
    let cube = index - 16
    return RGB(channel(cube / 36), channel(cube / 6 % 6), channel(cube % 6))
  }

  /// The nearest colour of the cube or the greys.
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

  /// The index among 0, 95, 135, 175, 215, 255 that comes nearest.
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
