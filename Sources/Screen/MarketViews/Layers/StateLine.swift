internal import SafeTextKit
internal import TerminalKit

/// Second row of a plain screen, which a screen reader reads after the title: what was announced last,
/// else the state of what is shown.
struct StateLine {
  let announcement: SafeText?
  let state: SafeText
  let rect: CellRect
  let context: RenderContext

  func draw(on canvas: inout Canvas) {
    let room = rect.inset(left: ScreenLayout.margin, right: ScreenLayout.margin)
    canvas.write(
      (announcement ?? state).truncated(toColumns: room.columns), at: room.origin,
      style: context.theme.text)
  }
}
