internal import SafeTextKit
internal import TerminalKit

/// Framed dialog box over the screen.
///
/// On a plain screen it covers the whole body, so that a line never mixes two layers.
package struct Box {
  let rect: CellRect
  let title: SafeText
  let context: RenderContext

  private static let widest = 58

  /// Creates a box in the middle of `bounds` with room for `rows` rows of content.
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

  /// Creates a box without a title at the right end of the bar above `bounds`.
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

  /// Creates a box without a title at `anchor`: below it where there is room, else above, else at the
  /// bottom over it.
  init(of size: CellSize, at anchor: CellRect, in bounds: CellRect, _ context: RenderContext) {
    title = .empty
    self.context = context
    let area = bounds.inset(left: ScreenLayout.margin, right: ScreenLayout.margin)
    let (columns, rows) = (min(size.columns, area.columns), min(size.rows, area.rows))
    let lowest = area.maxRow - rows
    let isAbove = anchor.maxRow > lowest && anchor.minRow - rows >= area.minRow
    // The window may have shrunk since the click.
    let row = min(isAbove ? anchor.minRow - rows : anchor.maxRow, lowest)
    let column = min(anchor.minColumn, area.maxColumn - columns)
    rect =
      context.isPlain
      ? bounds
      : CellRect(
        column: max(area.minColumn, column), row: max(area.minRow, row), columns: columns,
        rows: rows)
  }

  /// Creates a box in the upper left corner of `bounds`, whose position does not change as its content
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

  /// Area inside, one column away from the frame.
  var content: CellRect { rect.inset(left: 2, top: 1, right: 2, bottom: 1) }

  func draw(on canvas: inout Canvas) {
    canvas.fill(rect, style: .plain)
    canvas.frame(rect, style: context.theme.accent, weight: .rounded)
    guard !title.isEmpty else { return }
    let text = " " + title + " "
    canvas.write(
      text.truncated(toColumns: rect.columns - 4), at: rect.origin.moved(columns: 2),
      style: context.theme.accent)
    // Without a selection or text field inside, screen readers find the box itself.
    canvas.setCursor(at: content.origin, isVisible: false)
  }
}

extension Canvas {
  /// Draws the background and bar of a selected line, and places the cursor on the bar.
  mutating func markSelected(_ line: CellRect, _ theme: Theme) {
    markSelected(line, bar: line.origin, theme)
  }

  /// Draws those of a row of several lines, with the cursor on the first one.
  mutating func markSelected(_ rect: CellRect, bar: CellRect, _ theme: Theme) {
    for line in (0..<rect.rows).reversed() {
      markSelected(rect.row(line), bar: bar.row(line).origin, theme)
    }
  }

  /// Draws those of a line with the bar elsewhere; inside the line, the bar has its background.
  private mutating func markSelected(_ line: CellRect, bar: CellPoint, _ theme: Theme) {
    fill(line, style: theme.selected(theme.text))
    put(
      theme.selectionBar, at: bar,
      style: line.contains(bar) ? theme.selected(theme.accent) : theme.accent)
    setCursor(at: bar, isVisible: false)
  }
}
