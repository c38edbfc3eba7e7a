internal import EditorKit
internal import SafeTextKit
internal import TerminalKit

/// Box with one line that is typed, and under it what that may be or what came of it.
struct LineDialog {
  let title: SafeText
  let label: SafeText
  let editor: LineEditor
  let hint: SafeText
  let note: SafeText
  let isError: Bool
  let frame: Frame

  private static let noteRows = 3

  func draw(on canvas: inout Canvas) {
    let box = box
    box.draw(on: &canvas)
    field.draw(on: &canvas, frame.context)
    let theme = frame.context.theme
    let lines = note.wrapped(toColumns: max(1, box.content.columns))
    for (row, line) in lines.prefix(Self.noteRows).enumerated() {
      canvas.write(
        line, at: box.content.row(row + 1).origin, style: isError ? theme.warning : theme.secondary)
    }
  }

  var field: FieldLine {
    FieldLine(label: label, editor: editor, rect: box.content.row(0), hint: hint)
  }

  private var box: Box {
    Box(title: title, rows: 1 + Self.noteRows, in: frame.body, frame.context)
  }
}
