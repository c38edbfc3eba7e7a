internal import EditorKit
internal import SafeTextKit
internal import TerminalKit

/// Box with what is asked about, and below it one line that is typed.
struct SubjectDialog {
  let title: SafeText
  let subject: SafeText
  /// Whether the subject is what was wrong with the line.
  var isError = false
  let label: SafeText
  let editor: LineEditor
  var hint = SafeText.empty
  let frame: Frame

  private static let rows = 3

  func draw(on canvas: inout Canvas) {
    let (box, theme) = (box, frame.context.theme)
    box.draw(on: &canvas)
    if box.content.rows > 1 {
      canvas.write(
        subject.truncated(toColumns: box.content.columns), at: box.content.origin,
        style: isError ? theme.warning : theme.secondary)
    }
    field.draw(on: &canvas, frame.context)
  }

  var field: FieldLine {
    let content = box.content
    return FieldLine(
      label: label, editor: editor,
      rect: content.row(max(0, min(Self.rows, content.rows) - 1)), hint: hint)
  }

  private var box: Box { Box(title: title, rows: Self.rows, in: frame.body, frame.context) }
}
