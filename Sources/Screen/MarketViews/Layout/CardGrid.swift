package import TerminalKit

/// Places and sizes of the cards of a grid: pure arithmetic on a rectangle.
///
/// Cards are 24 to 30 columns wide with two columns and two rows between them, in which the frame of
/// the selected one stands.
package struct CardGrid: Hashable, Sendable {
  package private(set) var bounds: CellRect
  /// Cards side by side.
  package let columns: Int
  /// Size of a card without its frame: the picture and three lines under it.
  package let card: CellSize
  /// Rows that the picture takes, one where words describe it; 0 where the window is too short.
  package let pictureRows: Int

  private static let narrowestCard = 24
  private static let widestCard = 30
  private static let textRows = 3
  private static let frame = 2

  package init(_ bounds: CellRect, showsPictures: Bool = true) {
    self.bounds = bounds
    let room = bounds.columns - Self.frame
    columns = max(1, (room + Self.frame) / (Self.narrowestCard + Self.frame))
    let width = (room - (columns - 1) * Self.frame) / columns
    let cardColumns = columns == 1 ? width : min(Self.widestCard, width)
    // Cells are twice as high as wide: 0.36 of the columns make the picture about 4:3.
    let wanted = showsPictures ? (cardColumns * 36 + 50) / 100 : 1
    let free = bounds.rows - Self.textRows - Self.frame
    var pictureRows = free < 2 ? 0 : min(wanted, free)
    // A row stays free below whole rows of cards, for what stands at the end of the list.
    if pictureRows > 2, bounds.rows.isMultiple(of: pictureRows + Self.textRows + Self.frame) {
      pictureRows -= 1
    }
    self.pictureRows = pictureRows
    card = CellSize(columns: cardColumns, rows: pictureRows + Self.textRows)
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
        columns: 1 + column * pitch.columns, rows: 1 + row * pitch.rows), size: card)
  }

  /// The place, counted from the first card on the screen, at which a point lies.
  package func place(at point: CellPoint) -> (row: Int, column: Int)? {
    guard bounds.contains(point) else { return nil }
    let column = (point.column - bounds.minColumn) / pitch.columns
    return column < columns ? ((point.row - bounds.minRow) / pitch.rows, column) : nil
  }
}
