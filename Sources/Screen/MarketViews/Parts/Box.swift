internal import SafeText
internal import TerminalKit

/// A framed box over the screen, which stays visible around it: it asks something.
struct Box {
  let rect: CellRect
  let title: SafeText
  let context: RenderContext

  private static let widest = 58

  /// A box in the middle of `bounds` with room for `rows` rows of content.
  init(
    title: SafeText, columns: Int = widest, rows: Int, in bounds: CellRect, _ context: RenderContext
  ) {
    self.title = title
    self.context = context
    rect = bounds.inset(left: 1, right: 1)
      .centered(CellSize(columns: columns, rows: rows + 2))
  }

  /// What stands inside, one column away from the frame.
  var content: CellRect { rect.inset(left: 2, top: 1, right: 2, bottom: 1) }

  func draw(on canvas: inout Canvas) {
    canvas.fill(rect, style: .plain)
    canvas.frame(rect, style: context.theme.accent, weight: .rounded)
    let text = " " + title + " "
    canvas.write(
      text.truncated(toColumns: rect.columns - 4), at: rect.origin.moved(columns: 2),
      style: context.theme.accent)
  }
}
