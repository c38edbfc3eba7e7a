internal import TerminalKit

/// The keys of pictures, by what has the focus.
enum PictureKeys {
  typealias Binding = KeyMap.Binding

  /// Chooses how pictures are shown, wherever some are.
  static let choosing = Binding(.pictures, "P")

  /// In the detail.
  static let detail = [
    Binding(.enlarge, .enter),
    Binding(.savePicture, "S"),
    Binding(.openPicture, "O"),
  ]

  /// Over the whole window.
  static let whole = [
    Binding(.back, .escape, .enter, "q", .backspace),
    Binding(.previousPicture, .left, "h"),
    Binding(.nextPicture, .right, "l"),
    Binding(.savePicture, "S"),
    Binding(.openPicture, "O"),
  ]
}
