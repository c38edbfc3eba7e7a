internal import EditorKit
internal import SafeTextKit
internal import TerminalKit

/// What a key makes of a line, dimly behind it: the rest of it, or the whole where it is spelled
/// otherwise than what is typed.
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

  /// Draws it where the line stands.
  func draw(on canvas: inout Canvas, in room: CellRect, _ style: Style) {
    let room = room.inset(left: typed.columns)
    canvas.write(rest.truncated(toColumns: room.columns), at: room.origin, style: style)
  }
}
