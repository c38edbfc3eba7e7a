internal import SafeTextKit
internal import TerminalKit

/// The two answers to a question, side by side, the chosen one with a mark.
struct AnswerLine {
  let yes: SafeText
  let no: SafeText
  /// Nil where none is chosen.
  let isYes: Bool?
  /// The line; what has no room in it is cut.
  let line: CellRect
  let context: RenderContext

  private var answers: [(isYes: Bool, text: SafeText, rect: CellRect)] {
    var position = line.origin
    return [(true, yes), (false, no)].map { isYes, text in
      let text = text + " "
      let rect = CellRect(origin: position, size: CellSize(columns: text.columns + 2, rows: 1))
      position = position.moved(columns: rect.columns + 2)
      return (isYes, text, rect)
    }
  }

  func draw(on canvas: inout Canvas) {
    for answer in answers {
      let isChosen = answer.isYes == isYes
      let style =
        isChosen ? context.theme.selected(context.theme.accent) : context.theme.secondary
      if isChosen { canvas.setCursor(at: answer.rect.origin, isVisible: false) }
      canvas.write(
        (isChosen ? "▸ " : "  ") + answer.text, at: answer.rect.origin, style: style,
        maxColumns: max(0, line.maxColumn - answer.rect.minColumn))
    }
  }

  /// The answer at a point, for a click.
  func answer(at point: CellPoint) -> Bool? {
    answers.first { $0.rect.contains(point) }?.isYes
  }
}
