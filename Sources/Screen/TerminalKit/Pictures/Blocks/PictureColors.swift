/// Colours available to pictures of characters.
package enum PictureColors: Hashable, Sendable {
  /// Any 24-bit colour.
  case direct
  /// The fixed colours of xterm's 256.
  case palette
  /// The four greys of the sixteen named colours, dithered.
  case grays
  /// Black and light grey of eight colours, dithered.
  case blackAndGray
  /// No colours: dots in the terminal's foreground, on a light background for dark pixels.
  case ink

  /// Returns the colours for pictures on a terminal of a depth.
  package init(_ depth: ColorDepth, _ symbols: PictureSymbols) {
    self =
      switch depth {
      case .direct: .direct
      case .palette256: .palette
      case .ansi16: symbols == .braille ? .ink : .grays
      case .ansi8: symbols == .braille ? .ink : .blackAndGray
      case .none: .ink
      }
  }

  /// Returns the nearest available colour of a mean of dots.
  func color(_ mean: SIMD4<Float>) -> Color {
    if self == .palette { return PicturePalette.nearest(to: mean) }
    // Scalar conversions, since converting a whole vector is a slow call.
    let rounded = mean + 0.5
    let color = RGB(UInt8(rounded.x), UInt8(rounded.y), UInt8(rounded.z))
    switch self {
    case .direct, .palette: return .rgb(color)
    case .grays, .blackAndGray: return GrayLevel.nearest(to: color.green, of: grays).color
    case .ink: return .terminalDefault
    }
  }

  /// Minimum error, squared and summed over a cell, that a second colour has to save; below it both look
  /// alike, and one costs half the bytes.
  var worthSplitting: Float { self == .palette ? 20 * CellDivision.area : CellDivision.area }

  /// Greys of these colours; empty where colours are not grey.
  var grays: [GrayLevel] {
    switch self {
    case .grays: GrayLevel.allCases
    case .blackAndGray: [.black, .light]
    case .direct, .palette, .ink: []
    }
  }
}

/// Grey of the sixteen named colours; raw values are the brightness of most terminals.
enum GrayLevel: UInt8, CaseIterable {
  case black = 0
  case dark = 112
  case light = 208
  case white = 255

  var color: Color {
    .rgb(RGB(rawValue, rawValue, rawValue), fallback: name)
  }

  private var name: ANSIColor {
    switch self {
    case .black: .black
    case .dark: .brightBlack
    case .light: .white
    case .white: .brightWhite
    }
  }

  /// Returns the nearest of some greys.
  static func nearest(to value: UInt8, of grays: [GrayLevel]) -> GrayLevel {
    grays.min { abs(Int($0.rawValue) - Int(value)) < abs(Int($1.rawValue) - Int(value)) } ?? .black
  }
}
