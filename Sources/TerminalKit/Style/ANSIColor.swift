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
