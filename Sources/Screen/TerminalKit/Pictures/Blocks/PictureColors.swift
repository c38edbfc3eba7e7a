/// Colours that pictures of characters may have.
package enum PictureColors: Hashable, Sendable {
  /// Any.
  case direct
  /// The fixed ones of xterm's 256, in ordered dithering.
  case palette
  /// The four greys among the sixteen that every colour terminal names, in ordered dithering.
  case grays
  /// Black and a light grey, where there are eight colours, in ordered dithering.
  case blackAndGray
  /// None: ink of the terminal's own colour, darker than its ground where that is light.
  case ink

  /// The colours that pictures have where text has so many.
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

  /// The colour for dots whose colours have this mean.
  func color(_ mean: SIMD4<Float>) -> Color {
    // One by one: the conversion of a whole vector is a slow call.
    let rounded = mean + 0.5
    let color = RGB(UInt8(rounded.x), UInt8(rounded.y), UInt8(rounded.z))
    switch self {
    case .direct: return .rgb(color)
    case .palette: return .rgb(Palette.color(Palette.nearest(to: color)))
    case .grays, .blackAndGray: return GrayLevel.nearest(to: color.green, of: grays).color
    case .ink: return .terminalDefault
    }
  }

  /// The greys that it has; none where colours are not grey.
  var grays: [GrayLevel] {
    switch self {
    case .grays: GrayLevel.allCases
    case .blackAndGray: [.black, .light]
    case .direct, .palette, .ink: []
    }
  }
}

/// Grey of the sixteen colours, as light as most terminals show it.
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

  /// The grey among some that comes nearest.
  static func nearest(to value: UInt8, of grays: [GrayLevel]) -> GrayLevel {
    grays.min { abs(Int($0.rawValue) - Int(value)) < abs(Int($1.rawValue) - Int(value)) } ?? .black
  }
}
