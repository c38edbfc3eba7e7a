internal import SafeText
internal import TerminalKit

/// A box with lines of which one is selected.
struct ChoiceBox {
  let title: SafeText
  /// Each line: what stands at the left, and what at the right.
  let lines: [(left: SafeText, right: SafeText)]
  let selected: Int
  var columns = 58
  let bounds: CellRect
  let context: RenderContext

  func draw(on canvas: inout Canvas) {
    let box = Box(title: title, columns: columns, rows: max(1, lines.count), in: bounds, context)
    box.draw(on: &canvas)
    draw(on: &canvas, in: box.content)
  }

  /// Draws the lines alone, with the selected one in sight.
  func draw(on canvas: inout Canvas, in area: CellRect) {
    let first = max(0, min(selected - area.rows / 2, lines.count - area.rows))
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
    if isSelected {
      canvas.fill(rect, style: look(theme.text))
      canvas.put(.selectionBar, at: rect.origin, style: look(theme.accent))
      canvas.setCursor(at: rect.origin, isVisible: false)
    }
    let right = line.right.truncated(toColumns: rect.columns / 2)
    canvas.write(
      line.left.truncated(toColumns: rect.columns - right.columns - 3),
      at: rect.origin.moved(columns: 2), style: look(isSelected ? theme.strong : theme.text))
    canvas.write(
      right, at: rect.origin.moved(columns: rect.columns - right.columns),
      style: look(theme.secondary))
  }
}
