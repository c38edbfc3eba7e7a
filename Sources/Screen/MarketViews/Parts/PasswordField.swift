internal import EditorKit
internal import SafeTextKit
internal import TerminalKit

/// Label with a shaded strip of a password, masked or shown; the cursor is at its end.
struct PasswordField {
  let label: SafeText
  let secret: PasswordEditor
  let isShown: Bool
  let rect: CellRect

  func draw(on canvas: inout Canvas, _ context: RenderContext) {
    canvas.write(label, at: rect.origin, style: context.theme.secondary)
    let strip = rect.inset(left: label.columns + 2)
    canvas.fill(strip, style: context.theme.field)
    let room = strip.inset(left: 1, right: 1)
    let text = isShown ? secret.shown : secret.masked
    let shown = text.dropping(columns: max(0, text.columns - room.columns + 1))
    canvas.write(shown, at: room.origin, style: context.theme.field)
    canvas.setCursor(at: room.origin.moved(columns: shown.columns), isVisible: true)
  }
}
