import MarketViews
import TerminalKit

/// All that decides what a picture is turned into.
nonisolated enum PictureForm: Hashable, Sendable {
  case blocks(PictureSymbols)
  /// A PNG file, as transparent as the picture.
  case kitty(cell: CellPixels)
  case sixel(cell: CellPixels, colors: Int, ground: RGB)
  /// A JPEG file.
  case inline(cell: CellPixels, ground: RGB)
  case none

  /// More rows of pixels in a cell than these would only cost time.
  private static let finest = 24
  /// The same over a slow line; the terminal scales the picture up.
  private static let coarsest = 12

  init(_ method: PictureMethod, _ facts: TerminalFacts) {
    let cell = facts.cell ?? .typical
    let isSlow = facts.environment.isOverSSH
    let scaled = cell.limited(toHeight: isSlow ? Self.coarsest : Self.finest)
    let ground = facts.background ?? .black
    self =
      switch method {
      case .blocks(let symbols): .blocks(symbols)
      case .kitty: .kitty(cell: scaled)
      case .sixel:
        .sixel(cell: cell, colors: min(facts.sixelColors ?? 256, isSlow ? 64 : 256), ground: ground)
      case .inline: .inline(cell: scaled, ground: ground)
      case .none: .none
      }
  }

  var style: PictureStyle {
    switch self {
    case .blocks(let symbols): .cells(symbols)
    case .kitty(let cell), .sixel(let cell, _, _), .inline(let cell, _): .pixels(cell)
    case .none: .none
    }
  }
}

extension CellPixels {
  /// A cell of the same shape with fewer pixels.
  nonisolated fileprivate func limited(toHeight limit: Int) -> CellPixels {
    guard height > limit else { return self }
    return CellPixels(width: max(1, width * limit / height), height: limit)
  }
}
