internal import SafeTextKit
internal import TerminalKit

/// Dot per picture of a product, with the number of the shown one; two rows beside a picture, or one
/// under it.
struct PictureDots {
  let count: Int
  let shown: Int
  /// Area; two rows high where the number is below the dots.
  let rect: CellRect

  private static let gap = 2

  private var gap: Int { dotColumns == 0 ? 0 : Self.gap }

  /// Returns the columns of a row of dots.
  static func columns(of count: Int) -> Int { max(0, count * 2 - 1) }

  /// Columns of dots and number in one row.
  var columns: Int { dotColumns + gap + position.columns }

  private var position: SafeText { SafeText("\(shown + 1)/\(count)") }

  /// Columns of the dots; 0 where not all fit, so that only the number is shown.
  private var dotColumns: Int {
    let columns = Self.columns(of: count)
    let needed = rect.rows > 1 ? columns : columns + Self.gap + position.columns
    return needed <= rect.columns ? columns : 0
  }

  func draw(on canvas: inout Canvas, _ context: RenderContext) {
    guard count > 1, !rect.isEmpty else { return }
    for dot in 0..<(dotColumns == 0 ? 0 : count) {
      canvas.put(
        dot == shown ? .filledDot : .emptyDot, at: rect.origin.moved(columns: dot * 2),
        style: context.theme.accent)
    }
    let place =
      rect.rows > 1
      ? rect.origin.moved(rows: 1)
      : rect.origin.moved(columns: dotColumns + gap)
    canvas.write(position, at: place, style: context.theme.secondary, maxColumns: rect.columns)
  }

  /// Index of the picture whose dot is at a point; nil for none.
  func picture(at point: CellPoint) -> Int? {
    guard count > 1, point.row == rect.minRow else { return nil }
    let offset = point.column - rect.minColumn
    guard offset >= 0, offset < dotColumns, offset.isMultiple(of: 2) else { return nil }
    return offset / 2
  }
}
