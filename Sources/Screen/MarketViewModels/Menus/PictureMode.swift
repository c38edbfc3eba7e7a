/// Way to show pictures that the user wants; the raw values are those of the option and the
/// settings file.
package nonisolated enum PictureMode: String, CaseIterable, Hashable, Sendable {
  /// As well as the terminal can.
  case auto
  case kitty
  case sixel
  case iterm2
  /// Block characters, as fine as the terminal's font is known to hold.
  case blocks
  case half
  case quadrant
  case sextant
  /// Dots without colours of the cell's ground.
  case braille
  /// Words in their place.
  case none
}
