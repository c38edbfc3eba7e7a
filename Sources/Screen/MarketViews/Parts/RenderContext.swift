package import MarketModel
import MarketStrings
internal import SafeTextKit
package import TerminalKit

/// Context of a view besides its model: style, language and time of the frame.
package struct RenderContext: Sendable {
  package var theme: Theme
  package var strings: Strings
  package var pictures: PictureStyle
  /// Choice of the picture method; nil before it is made.
  package var pictureChoice: PictureChoice?
  /// Custom keys of the user.
  package var keys = CustomKeyBindings()
  /// Whether the screen has plain lines without boxes, rules, pictures and animation, for screen
  /// readers and braille lines.
  package var isPlain = false
  /// Whether the cursor is visible on the selection.
  package var showsCursor = false
  /// Whether symbols are shown in ASCII.
  package var hasASCIISymbols = false
  /// Whether the terminal can scroll a list beside another part.
  package var movesPanels = false
  /// Time of the frame, from which ages are counted.
  package var now: Timestamp
  /// Cache of drawn rows and cards, for frames of one terminal.
  let rows = RowCache<ProductRow.Content>()
  let cards = RowCache<CardContent>()
  /// Cache of larger parts.
  let parts = KeptParts()

  package init(theme: Theme, strings: Strings, pictures: PictureStyle, now: Timestamp) {
    self.theme = theme
    self.strings = strings
    self.pictures = pictures
    self.now = now
  }

  /// Style of all texts of a frame.
  struct FrameStyle: Equatable {
    let theme: Theme
    let language: Language
    let keys: CustomKeyBindings
    let isPlain: Bool
    let writesKeysInWords: Bool
  }

  var frameStyle: FrameStyle {
    FrameStyle(
      theme: theme, language: strings.language, keys: keys, isPlain: isPlain,
      writesKeysInWords: writesKeysInWords)
  }

  /// Returns the name of a key in footer and help.
  func name(of key: KeyPress) -> SafeText { KeyName.text(key, inWords: writesKeysInWords) }

  /// Whether keys are written as words instead of symbols.
  var writesKeysInWords: Bool { isPlain || hasASCIISymbols }
}

/// Drawing method of pictures.
package enum PictureStyle: Hashable, Sendable {
  case cells(PictureSymbols)
  /// Pictures of a terminal protocol, with pixels per cell.
  case pixels(CellPixels)
  /// No pictures; texts describe them.
  case none

  var showsPictures: Bool { self != .none }

  /// Pixels per cell that a picture should have; nil where none is drawn.
  var pixelsPerCell: CellPixels? {
    switch self {
    case .cells(let symbols):
      CellPixels(width: symbols.pixelsPerCell.width, height: symbols.pixelsPerCell.height)
    case .pixels(let cell): cell
    case .none: nil
    }
  }
}
