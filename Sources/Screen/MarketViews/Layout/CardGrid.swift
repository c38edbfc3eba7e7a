package import TerminalKit

/// Layout of the cards of a grid.
///
/// Cards have at least the chosen width and share the whole width, with two columns or a little more
/// and two rows between them, or one row where more cards then fit; the frame of the selected card is
/// drawn there. The height of pictures is chosen so that whole rows of cards fit.
package struct CardGrid: Hashable, Sendable {
  package private(set) var bounds: CellRect
  /// Number of cards side by side.
  package let columns: Int
  /// Size of a card without frame: picture and lines of text below.
  package let card: CellSize
  /// Rows of the picture; 0 where none is shown or the window is too low.
  package let pictureRows: Int
  /// Blank rows between two rows of cards.
  private let gap: Int
  private let showsPictures: Bool

  /// Minimum columns of a card, by size step.
  package nonisolated static let sizes = [16, 20, usualSize, 30, 38, 48, 60, 76, 96]
  package nonisolated static let usualSize = 24
  /// Rows for name, price, and stock with age; without pictures the name has two.
  private static func textRows(_ showsPictures: Bool) -> Int { showsPictures ? 3 : 4 }
  private static let frame = 2

  /// Divides `bounds`; where the window is too low for pictures of `cardColumns`, cards are smaller.
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

  /// Returns the height of pictures nearest to `wanted`, and the gap, with which whole rows of cards
  /// leave 1 to `mostLeft` rows, which show the end of the list or that there is more; nil where none
  /// does.
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

  /// Maximum rows below whole rows of cards; the picture of a cut card has one less.
  private static let mostLeft = 3

  /// Range from a ratio of 2:1 to nearly a square.
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

  /// Rows of a picture of about 4:3; cells are twice as high as wide.
  private static func wantedRows(_ cardColumns: Int, _ showsPictures: Bool) -> Int {
    showsPictures ? (cardColumns * 36 + 50) / 100 : 0
  }

  private static func isRoomy(_ width: Int, _ bounds: CellRect, _ showsPictures: Bool) -> Bool {
    wantedRows(width, showsPictures) + textRows(showsPictures) + frame <= bounds.rows
  }

  /// Returns the next larger or smaller size with a different number of cards per row; nil where there
  /// is none.
  package func nextSize(isLarger: Bool) -> Int? {
    let sizes = isLarger ? Self.sizes : Self.sizes.reversed()
    return sizes.first {
      let count = CardGrid(bounds, showsPictures: showsPictures, cardColumns: $0).columns
      return isLarger ? count < columns : count > columns
    }
  }

  /// The grid moved to the origin of its own canvas.
  package var atOrigin: CardGrid {
    var grid = self
    grid.bounds = CellRect(size: bounds.size)
    return grid
  }

  private var pitch: CellSize {
    CellSize(columns: card.columns + Self.frame, rows: card.rows + gap)
  }

  /// Number of rows of cards that fit completely, at least one.
  package var wholeRows: Int {
    max(1, (bounds.rows - (Self.frame - gap)) / max(1, pitch.rows))
  }

  /// Number of rows of cards that are visible, including a cut one.
  package var shownRows: Int { (bounds.rows + pitch.rows - 2) / max(1, pitch.rows) }

  /// First line of a row of cards, counted from the first card of the list.
  func line(ofRow row: Int) -> Int { row * pitch.rows }

  /// First line below `rows` rows of cards and the frame of the last one.
  package func end(ofRows rows: Int) -> Int { rows * pitch.rows + Self.frame - gap }

  /// Area of a card without frame, by its position counted from the first card on the screen.
  package func cardRect(row: Int, column: Int) -> CellRect {
    CellRect(
      origin: bounds.origin.moved(
        columns: 1 + column * pitch.columns + spread(before: column), rows: 1 + row * pitch.rows),
      size: card)
  }

  /// Extra columns before a card: the remainder of the division is spread over the gaps, so that the
  /// last card ends at the right margin.
  private func spread(before column: Int) -> Int {
    let rest = max(0, bounds.columns - columns * pitch.columns)
    return columns > 1 ? column * rest / (columns - 1) : 0
  }

  /// Position of the card at a point, counted from the first card on the screen; nil outside.
  package func place(at point: CellPoint) -> (row: Int, column: Int)? {
    guard bounds.contains(point) else { return nil }
    let column = (0..<columns).last { cardRect(row: 0, column: $0).minColumn <= point.column + 1 }
    return ((point.row - bounds.minRow) / max(1, pitch.rows), column ?? 0)
  }
}
