internal import EditorKit
internal import SafeTextKit
internal import TerminalKit

/// Completion drawn dimly after a line: the rest of the text, or the whole where its spelling differs
/// from the typed text.
struct CompletionText {
  private let typed: SafeText
  private let rest: SafeText

  init(_ completion: String, of editor: LineEditor) {
    typed = SafeText(editor.text)
    let text = editor.text
    rest = SafeText(
      completion.hasPrefix(text)
        ? String(completion.dropFirst(text.count)) : " → " + completion)
  }

  /// Draws the completion in the area of the line.
  func draw(on canvas: inout Canvas, in room: CellRect, _ style: Style) {
    let room = room.inset(left: typed.columns)
    canvas.write(rest.truncated(toColumns: room.columns), at: room.origin, style: style)
  }
}
