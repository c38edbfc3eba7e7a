/// Setting for the display of pictures; raw values are those of the option and the settings file.
package nonisolated enum PictureMode: String, CaseIterable, Hashable, Sendable {
  /// The best that the terminal supports.
  case auto
  case kitty
  case sixel
  case iterm2
  /// The finest block characters that the terminal is known to have.
  case blocks
  /// Text in place of pictures.
  case none
}
