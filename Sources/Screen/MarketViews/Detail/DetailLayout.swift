package import TerminalKit

/// What stands where in a detail: the picture at most half the height, under it the dots, and the
/// texts in lines of at most 72 columns.
package struct DetailLayout: Hashable, Sendable {
  /// The box into which the picture is fitted; empty where there is no room.
  package let picture: CellRect
  package let dots: CellRect
  package let text: CellRect

  private static let longestLine = 72
  /// Rows that the name, the price, the facts, the dates, a rule and a line of text need.
  private static let rowsForText = 6
  /// Rows above the picture, and below it the dots and a blank one.
  private static let rowsAround = 3

  /// - Parameters:
  ///   - bounds: what the detail covers.
  ///   - hasPictures: whether the product has any.
  ///   - showsPictures: false where a row of words stands for each.
  package init(_ bounds: CellRect, hasPictures: Bool = true, showsPictures: Bool = true) {
    let area = bounds.inset(left: 1, right: 1)
    let fewest = showsPictures ? 3 : 1
    let most = showsPictures ? area.columns * 36 / 100 : 1
    let wanted = min(most, area.rows / 2, area.rows - Self.rowsAround - Self.rowsForText)
    let hasPicture = hasPictures && wanted >= fewest
    picture = area.inset(top: 1).splitTop(hasPicture ? wanted : 0).top
    dots = CellRect(
      column: area.minColumn, row: picture.maxRow, columns: area.columns, rows: hasPicture ? 1 : 0)
    let top = hasPicture ? dots.maxRow - area.minRow + 1 : 0
    let rest = area.inset(top: top)
    text = rest.splitLeft(min(rest.columns, Self.longestLine)).left
  }
}
