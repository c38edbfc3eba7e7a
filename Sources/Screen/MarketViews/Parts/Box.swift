internal import SafeTextKit
internal import TerminalKit

/// A framed box over the screen, which stays visible around it: it asks something.
///
/// On plain screens it covers the others, so that each line is of one thing.
package struct Box {
  let rect: CellRect
  let title: SafeText
  let context: RenderContext

  private static let widest = 58

  /// A box in the middle of `bounds` with room for `rows` rows of content.
  init(
    title: SafeText, columns: Int = widest, rows: Int, in bounds: CellRect, _ context: RenderContext
  ) {
    self.title = title
    self.context = context
    rect =
      context.isPlain
      ? bounds
      : bounds.inset(left: ScreenLayout.margin, right: ScreenLayout.margin)
        .centered(CellSize(columns: columns, rows: rows + 2))
  }

  /// A box without a title that hangs from the right end of the bar over `bounds`.
  init(dropping size: CellSize, from bounds: CellRect, _ context: RenderContext) {
    title = .empty
    self.context = context
    let area = bounds.inset(left: ScreenLayout.margin, right: ScreenLayout.margin)
    let columns = min(size.columns, area.columns)
    rect =
      context.isPlain
      ? bounds
      : CellRect(
        column: area.maxColumn - columns, row: area.minRow, columns: columns,
        rows: min(size.rows, area.rows))
  }

  /// A box without a title that hangs from what it is about: below that where there is room, else
  /// above it, else at the bottom over it.
  init(of size: CellSize, at anchor: CellRect, in bounds: CellRect, _ context: RenderContext) {
    title = .empty
    self.context = context
    let area = bounds.inset(left: ScreenLayout.margin, right: ScreenLayout.margin)
    let (columns, rows) = (min(size.columns, area.columns), min(size.rows, area.rows))
    let lowest = area.maxRow - rows
    let isAbove = anchor.maxRow > lowest && anchor.minRow - rows >= area.minRow
    // The window may have become smaller than it was when the mouse was there.
    let row = min(isAbove ? anchor.minRow - rows : anchor.maxRow, lowest)
    let column = min(anchor.minColumn, area.maxColumn - columns)
    rect =
      context.isPlain
      ? bounds
      : CellRect(
        column: max(area.minColumn, column), row: max(area.minRow, row), columns: columns,
        rows: rows)
  }

  /// A box in the upper left corner of `bounds`, so that it stays in its place when its content
  /// grows.
  init(
    title: SafeText, columns: Int = widest, rows: Int, atTopOf bounds: CellRect,
    _ context: RenderContext
  ) {
    self.title = title
    self.context = context
    rect =
      bounds.inset(left: ScreenLayout.margin, right: ScreenLayout.margin)
      .splitTop(rows + 2).top.splitLeft(columns).left
  }

  /// What stands inside, one column away from the frame.
  var content: CellRect { rect.inset(left: 2, top: 1, right: 2, bottom: 1) }

  func draw(on canvas: inout Canvas) {
    canvas.fill(rect, style: .plain)
    canvas.frame(rect, style: context.theme.accent, weight: .rounded)
    guard !title.isEmpty else { return }
    let text = " " + title + " "
    canvas.write(
      text.truncated(toColumns: rect.columns - 4), at: rect.origin.moved(columns: 2),
      style: context.theme.accent)
    // Where nothing inside is selected or typed, readers find the box itself.
    canvas.setCursor(at: content.origin, isVisible: false)
  }
}

extension Canvas {
  /// Draws the ground of a selected line and the bar at its left, where the cursor is parked.
  mutating func markSelected(_ line: CellRect, _ theme: Theme) {
    markSelected(line, bar: line.origin, theme)
  }

  /// The same for a row of several lines, each with its bar, the cursor on the first one.
  mutating func markSelected(_ rect: CellRect, bar: CellRect, _ theme: Theme) {
    for line in (0..<rect.rows).reversed() {
      markSelected(rect.row(line), bar: bar.row(line).origin, theme)
    }
  }

  /// The same with the bar in another place, on the ground of the line where that is part of it.
  private mutating func markSelected(_ line: CellRect, bar: CellPoint, _ theme: Theme) {
    fill(line, style: theme.selected(theme.text))
    put(
      theme.selectionBar, at: bar,
      style: line.contains(bar) ? theme.selected(theme.accent) : theme.accent)
    setCursor(at: bar, isVisible: false)
  }
}
