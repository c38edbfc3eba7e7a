internal import EditorKit
internal import SafeTextKit
internal import TerminalKit

/// The rest of what a key makes of a line, dimly behind what is typed of it.
struct CompletionText {
  private let typed: SafeText
  private let rest: SafeText

  init(_ completion: String, of editor: LineEditor) {
    typed = SafeText(editor.text)
    rest = SafeText(String(completion.dropFirst(editor.text.count)))
  }

  /// Draws it where the line stands.
  func draw(on canvas: inout Canvas, in room: CellRect, _ style: Style) {
    let room = room.inset(left: typed.columns)
    canvas.write(rest.truncated(toColumns: room.columns), at: room.origin, style: style)
  }
}
