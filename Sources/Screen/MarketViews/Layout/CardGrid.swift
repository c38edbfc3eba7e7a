package import TerminalKit

/// Places and sizes of the cards of a grid: pure arithmetic on a rectangle.
///
/// Cards are at least as wide as was chosen and take the whole width together, with two columns or a
/// little more and two rows between them, in which the frame of the selected one stands.
package struct CardGrid: Hashable, Sendable {
  package private(set) var bounds: CellRect
  /// Cards side by side.
  package let columns: Int
  /// Size of a card without its frame: the picture and three lines under it.
  package let card: CellSize
  /// Rows that the picture takes, one where words describe it; 0 where the window is too short.
  package let pictureRows: Int
  private let showsPictures: Bool

  /// Columns that a card has at least, from the smallest size to the largest.
  package nonisolated static let sizes = [16, 20, usualSize, 30, 38, 48, 60, 76, 96]
  package nonisolated static let usualSize = 24
  private static let textRows = 3
  private static let frame = 2

  /// Divides the bounds; where the window is too low for the pictures of large cards they are smaller.
  package init(_ bounds: CellRect, showsPictures: Bool = true, cardColumns: Int = usualSize) {
    let fitting = Self.sizes.last { size in
      guard size <= cardColumns else { return false }
      return size <= Self.usualSize
        || Self.isRoomy(Self.width(ofCardsFrom: size, in: bounds), bounds, showsPictures)
    }
    self.init(bounds, showsPictures: showsPictures, narrowest: fitting ?? Self.sizes[0])
  }

  private init(_ bounds: CellRect, showsPictures: Bool, narrowest: Int) {
    self.bounds = bounds
    self.showsPictures = showsPictures
    columns = Self.columns(ofCardsFrom: narrowest, in: bounds)
    let cardColumns = Self.width(ofCardsFrom: narrowest, in: bounds)
    let wanted = Self.wantedRows(cardColumns, showsPictures)
    let free = bounds.rows - Self.textRows - Self.frame
    var pictureRows = free < 2 ? 0 : min(wanted, free)
    // A row stays free below whole rows of cards, for what stands at the end of the list.
    if pictureRows > 2, bounds.rows.isMultiple(of: pictureRows + Self.textRows + Self.frame) {
      pictureRows -= 1
    }
    self.pictureRows = pictureRows
    card = CellSize(columns: cardColumns, rows: pictureRows + Self.textRows)
  }

  private static func columns(ofCardsFrom narrowest: Int, in bounds: CellRect) -> Int {
    max(1, bounds.columns / (max(1, narrowest) + frame))
  }

  /// Columns of each card where as many as fit share the width.
  private static func width(ofCardsFrom narrowest: Int, in bounds: CellRect) -> Int {
    let columns = columns(ofCardsFrom: narrowest, in: bounds)
    return max(0, bounds.columns - columns * frame) / columns
  }

  /// Cells are twice as high as wide: 0.36 of the columns make the picture about 4:3.
  private static func wantedRows(_ cardColumns: Int, _ showsPictures: Bool) -> Int {
    showsPictures ? (cardColumns * 36 + 50) / 100 : 1
  }

  private static func isRoomy(_ width: Int, _ bounds: CellRect, _ showsPictures: Bool) -> Bool {
    wantedRows(width, showsPictures) + textRows + frame <= bounds.rows
  }

  /// The next size of cards, larger or smaller, at which other ones stand side by side; nil where
  /// there is none.
  package func nextSize(isLarger: Bool) -> Int? {
    let sizes = isLarger ? Self.sizes : Self.sizes.reversed()
    return sizes.first {
      let count = CardGrid(bounds, showsPictures: showsPictures, cardColumns: $0).columns
      return isLarger ? count < columns : count > columns
    }
  }

  /// The same grid on a canvas of its own.
  package var atOrigin: CardGrid {
    var grid = self
    grid.bounds = CellRect(size: bounds.size)
    return grid
  }

  private var pitch: CellSize {
    CellSize(columns: card.columns + Self.frame, rows: card.rows + Self.frame)
  }

  /// Rows of cards that fit whole, at least one.
  package var wholeRows: Int { max(1, bounds.rows / max(1, pitch.rows)) }

  /// The card at a place counted from the first one on the screen, without its frame.
  package func cardRect(row: Int, column: Int) -> CellRect {
    CellRect(
      origin: bounds.origin.moved(
        columns: 1 + column * pitch.columns + spread(before: column), rows: 1 + row * pitch.rows),
      size: card)
  }

  /// Columns that the division of the width leaves over, as far as they stand before a card: each
  /// gap gets one or none of them, so that the last card ends where the bars do.
  private func spread(before column: Int) -> Int {
    let rest = max(0, bounds.columns - columns * pitch.columns)
    return columns > 1 ? column * rest / (columns - 1) : 0
  }

  /// The place, counted from the first card on the screen, at which a point lies.
  package func place(at point: CellPoint) -> (row: Int, column: Int)? {
    guard bounds.contains(point) else { return nil }
    let column = (0..<columns).last { cardRect(row: 0, column: $0).minColumn <= point.column + 1 }
    return ((point.row - bounds.minRow) / max(1, pitch.rows), column ?? 0)
  }
}
