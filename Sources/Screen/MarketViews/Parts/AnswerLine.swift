internal import SafeTextKit
internal import TerminalKit

/// Line of two answers with a mark at the chosen one.
struct AnswerLine {
  let yes: SafeText
  let no: SafeText
  /// Whether the first answer is chosen; nil for neither.
  let isYes: Bool?
  /// Area of the line; longer answers are cut.
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

  /// Answer at a point; nil for none.
  func answer(at point: CellPoint) -> Bool? {
    answers.first { $0.rect.contains(point) }?.isYes
  }
}
