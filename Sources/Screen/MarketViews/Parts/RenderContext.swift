package import MarketModel
import MarketStrings
internal import SafeTextKit
package import TerminalKit

/// Surroundings of a view beside its model: the looks, the language and the time of the frame.
package struct RenderContext: Sendable {
  package var theme: Theme
  package var strings: Strings
  package var pictures: PictureStyle
  /// Why they are drawn so; nil before that is decided.
  package var pictureChoice: PictureChoice?
  /// Keys of the user's own.
  package var keys = CustomKeyBindings()
  /// Whether everything is plain lines without boxes, rules, pictures and movement, as screen readers
  /// and braille lines want them.
  package var isPlain = false
  /// Whether the cursor stands visibly on what is selected.
  package var showsCursor = false
  /// Whether symbols are shown in ASCII.
  package var hasASCIISymbols = false
  /// Whether the terminal moves a list by itself also where something stands beside it.
  package var movesPanels = false
  /// The time at which the frame is drawn; ages are counted from it.
  package var now: Timestamp
  /// Rows and cards that were drawn before, for frames of the same terminal.
  let rows = RowCache<ProductRow.Content>()
  let cards = RowCache<CardContent>()
  /// The same of larger parts.
  let parts = KeptParts()

  package init(theme: Theme, strings: Strings, pictures: PictureStyle, now: Timestamp) {
    self.theme = theme
    self.strings = strings
    self.pictures = pictures
    self.now = now
  }

  /// Look of all texts of a frame.
  struct Look: Equatable {
    let theme: Theme
    let language: Language
    let keys: CustomKeyBindings
    let isPlain: Bool
    let writesKeysInWords: Bool
  }

  var look: Look {
    Look(
      theme: theme, language: strings.language, keys: keys, isPlain: isPlain,
      writesKeysInWords: writesKeysInWords)
  }

  /// A key as footer and help write it.
  func name(of key: KeyPress) -> SafeText { KeyName.text(key, inWords: writesKeysInWords) }

  /// Whether keys have words where they have symbols otherwise.
  var writesKeysInWords: Bool { isPlain || hasASCIISymbols }
}

/// Way to draw pictures.
package enum PictureStyle: Hashable, Sendable {
  case cells(PictureSymbols)
  /// By a protocol of the terminal, with so many pixels for each cell.
  case pixels(CellPixels)
  /// Not at all: words describe them.
  case none

  var showsPictures: Bool { self != .none }

  /// The pixels that a picture should have for each cell it covers; nil where none is drawn.
  var pixelsPerCell: CellPixels? {
    switch self {
    case .cells(let symbols):
      CellPixels(width: symbols.pixelsPerCell.width, height: symbols.pixelsPerCell.height)
    case .pixels(let cell): cell
    case .none: nil
    }
  }
}
