package import TerminalKit

/// How pictures are drawn.
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
