package import TerminalKit

/// Places and sizes of the cards of a grid: pure arithmetic on a rectangle.
///
/// Cards are at least as wide as was chosen and take the whole width together, with two columns or a
/// little more and two rows between them, or one where more of them are whole by that; the frame of the
/// selected one stands there. Pictures are as high as lets whole rows of cards fit.
package struct CardGrid: Hashable, Sendable {
  package private(set) var bounds: CellRect
  /// Cards side by side.
  package let columns: Int
  /// Size of a card without its frame: the picture and three lines under it.
  package let card: CellSize
  /// Rows that the picture takes; 0 where none is shown, or the window is too short.
  package let pictureRows: Int
  /// Blank rows between two rows of cards.
  private let gap: Int
  private let showsPictures: Bool

  /// Columns that a card has at least, from the smallest size to the largest.
  package nonisolated static let sizes = [16, 20, usualSize, 30, 38, 48, 60, 76, 96]
  package nonisolated static let usualSize = 24
  /// Name, price, and stock and age; the name has two rows where no picture is above it.
  private static func textRows(_ showsPictures: Bool) -> Int { showsPictures ? 3 : 4 }
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
    let textRows = Self.textRows(showsPictures)
    let free = bounds.rows - textRows - Self.frame
    let heights = showsPictures ? Self.pictureHeights(cardColumns) : wanted...wanted
    if free < 2 {
      (pictureRows, gap) = (0, Self.frame)
    } else if let whole = Self.wholeCards(
      in: bounds.rows, of: heights, around: wanted, textRows: textRows)
    {
      (pictureRows, gap) = whole
    } else {
      (pictureRows, gap) = (min(wanted, free), Self.frame)
    }
    card = CellSize(columns: cardColumns, rows: pictureRows + textRows)
  }

  /// The height of pictures that comes nearest to what is wanted, and the gap, with which whole rows of
  /// cards leave a few rows: for what stands at the end of the list, and to show that there is more.
  private static func wholeCards(
    in rows: Int, of heights: ClosedRange<Int>, around wanted: Int, textRows: Int
  ) -> (pictureRows: Int, gap: Int)? {
    for gap in [frame, 1] {
      let fitting = heights.filter { height in
        let room = rows - (frame - gap)
        let pitch = height + textRows + gap
        return room >= pitch && (1...mostLeft).contains(room % pitch)
      }
      if let best = fitting.min(by: { abs($0 - wanted) < abs($1 - wanted) }) { return (best, gap) }
    }
    return nil
  }

  /// Rows below whole ones, of which the picture of a cut card has one less.
  private static let mostLeft = 3

  /// From twice as wide as high to nearly a square.
  private static func pictureHeights(_ cardColumns: Int) -> ClosedRange<Int> {
    cardColumns / 4...max(cardColumns / 4, cardColumns * 42 / 100)
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
    showsPictures ? (cardColumns * 36 + 50) / 100 : 0
  }

  private static func isRoomy(_ width: Int, _ bounds: CellRect, _ showsPictures: Bool) -> Bool {
    wantedRows(width, showsPictures) + textRows(showsPictures) + frame <= bounds.rows
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
    CellSize(columns: card.columns + Self.frame, rows: card.rows + gap)
  }

  /// Rows of cards that fit whole, at least one.
  package var wholeRows: Int {
    max(1, (bounds.rows - (Self.frame - gap)) / max(1, pitch.rows))
  }

  /// Rows of cards that reach into the bounds, the cut one included.
  package var shownRows: Int { (bounds.rows + pitch.rows - 2) / max(1, pitch.rows) }

  /// The line with which a row of cards begins, counted from the first card of the list.
  func line(ofRow row: Int) -> Int { row * pitch.rows }

  /// The first row below so many rows of cards and the frame of the last one.
  package func end(ofRows rows: Int) -> Int { rows * pitch.rows + Self.frame - gap }

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
