extension ColorDepth {
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
