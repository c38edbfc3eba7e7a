internal import EditorKit
internal import SafeTextKit
internal import TerminalKit

/// Label with a shaded strip of one editable line; the cursor is at the caret.
package struct FieldLine {
  let label: SafeText
  let editor: LineEditor
  let rect: CellRect
  /// Dimmed text of an empty field.
  let hint: SafeText
  /// Style of the label on a background other than the terminal's; nil is `secondary`.
  var labelStyle: Style?

  func draw(on canvas: inout Canvas, _ context: RenderContext) {
    canvas.write(label, at: rect.origin, style: labelStyle ?? context.theme.secondary)
    canvas.fill(strip, style: context.theme.field)
    let (text, caret) = editor.visible(columns: room.columns)
    let isEmpty = editor.text.isEmpty
    canvas.write(
      isEmpty ? hint.truncated(toColumns: room.columns) : text, at: room.origin,
      style: isEmpty ? context.theme.fieldHint : context.theme.field)
    canvas.setCursor(at: room.origin.moved(columns: caret), isVisible: true)
  }

  /// Position in the text at a point; nil outside.
  func position(at point: CellPoint) -> Int? {
    guard strip.contains(point) else { return nil }
    return editor.position(at: max(0, point.column - room.minColumn), columns: room.columns)
  }

  private var strip: CellRect { rect.inset(left: label.isEmpty ? 0 : label.columns + 2) }
  private var room: CellRect { strip.inset(left: 1, right: 1) }
}
