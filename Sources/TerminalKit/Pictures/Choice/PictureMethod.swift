/// How pictures get onto the terminal.
package enum PictureMethod: Hashable, Sendable {
  /// kitty's protocol, with placeholders among the text.
  case kitty
  case sixel
  /// The inline pictures of iTerm2.
  case inline
  /// Block characters in two colours each.
  case blocks(PictureSymbols)
  /// Not at all: words stand in their place.
  case none

  /// The colours that text must have for it: those of sixel and inline pictures are their own.
  var colorDepth: ColorDepth {
    switch self {
    case .kitty, .blocks: .palette256
    case .sixel, .inline: .ansi8
    case .none: .none
    }
  }
}
