internal import SafeText
internal import TerminalKit

/// A box with lines of which one is selected.
struct ChoiceBox {
  let title: SafeText
  /// Each line: what stands at the left, and what at the right.
  let lines: [(left: SafeText, right: SafeText)]
  /// Nil where the selection is elsewhere.
  let selected: Int?
  var columns = 58
  let bounds: CellRect
  let context: RenderContext

  func draw(on canvas: inout Canvas) {
    box.draw(on: &canvas)
    draw(on: &canvas, in: box.content)
  }

  /// The line at a point of the box, for a click.
  func line(at point: CellPoint) -> Int? { line(at: point, in: box.content) }

  /// The line at a point where the lines stand in this area.
  func line(at point: CellPoint, in area: CellRect) -> Int? {
    guard area.contains(point) else { return nil }
    let line = firstLine(in: area) + point.row - area.minRow
    return lines.indices.contains(line) ? line : nil
  }

  private var box: Box {
    Box(title: title, columns: columns, rows: max(1, lines.count), in: bounds, context)
  }

  private func firstLine(in area: CellRect) -> Int {
    max(0, min((selected ?? 0) - area.rows / 2, lines.count - area.rows))
  }

  /// Draws the lines alone, with the selected one in sight.
  func draw(on canvas: inout Canvas, in area: CellRect) {
    let first = firstLine(in: area)
    for (row, line) in lines.dropFirst(first).prefix(area.rows).enumerated() {
      draw(line, isSelected: first + row == selected, in: area.row(row), on: &canvas)
    }
  }

  private func draw(
    _ line: (left: SafeText, right: SafeText), isSelected: Bool, in rect: CellRect,
    on canvas: inout Canvas
  ) {
    let theme = context.theme
    let look = { (style: Style) in isSelected ? theme.selected(style) : style }
    if isSelected { canvas.markSelected(rect, theme) }
    let right = line.right.truncated(toColumns: rect.columns / 2)
    canvas.write(
      line.left.truncated(toColumns: rect.columns - right.columns - 3),
      at: rect.origin.moved(columns: 2), style: look(isSelected ? theme.strong : theme.text))
    canvas.write(
      right, at: rect.origin.moved(columns: rect.columns - right.columns),
      style: look(theme.secondary))
  }
}
