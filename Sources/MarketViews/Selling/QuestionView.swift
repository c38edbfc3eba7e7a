internal import MarketModel
internal import MarketViewModels
internal import SafeText
internal import TerminalKit

/// A question that says what is going to happen, and its two answers.
struct QuestionView {
  let question: SellingQuestion
  let market: SafeText
  let bounds: CellRect
  let context: RenderContext

  private static let columns = 58

  func draw(on canvas: inout Canvas) {
    let lines = text.flatMap { $0.wrapped(toColumns: Self.columns - 6) }
    let box = Box(
      title: context.strings[title], columns: Self.columns, rows: lines.count + 3, in: bounds,
      context)
    box.draw(on: &canvas)
    let area = box.content.inset(left: 1, top: 1, right: 1)
    for (row, line) in lines.enumerated() {
      let style = row == 0 ? context.theme.strong : context.theme.text
      canvas.write(line.truncated(toColumns: area.columns), at: area.row(row).origin, style: style)
    }
    drawAnswers(on: &canvas, in: area.row(lines.count + 1))
  }

  private func drawAnswers(on canvas: inout Canvas, in rect: CellRect) {
    var place = rect.origin
    for (isYes, phrase) in [(true, yes), (false, Phrase.answerNo)] {
      let text = context.strings[phrase]
      let isChosen = isYes == question.isYes
      let style =
        isChosen ? context.theme.selected(context.theme.accent) : context.theme.secondary
      let shown = (isChosen ? "▸ " : "  ") + text + " "
      if isChosen { canvas.setCursor(at: place, isVisible: false) }
      canvas.write(shown, at: place, style: style)
      place = place.moved(columns: shown.columns + 2)
    }
  }

  private var title: Phrase {
    switch question.subject {
    case .registration: .titleRegistration
    case .edit: .titleEdit
    case .deletion: .titleDeletion
    case .undo: .titleUndo
    case .photoRemoval: .fieldPhotos
    case .draftRemoval, .draft: .draftsTitle
    }
  }

  private var yes: Phrase {
    switch question.subject {
    case .registration: .keySubmit
    case .edit: .answerSend
    case .deletion, .photoRemoval, .draftRemoval: .keyDelete
    case .undo: .keyUndoEdit
    case .draft: .answerGoOn
    }
  }

  private var text: [SafeText] {
    let strings = context.strings
    switch question.subject {
    case .registration(let name, let count):
      return [SafeText(name), strings(.askRegistration, market, SafeText(count), number: count)]
    case .edit(let name, let fields):
      let labels = fields.map { strings[$0.phrase] }.joined(separator: ", ")
      return [SafeText(name), strings(.askEdit, labels, market)]
    case .deletion(let product): return [product.name, strings(.askDeletion, market)]
    case .undo(let product): return [product.name, strings[.askUndo]]
    case .photoRemoval(let name):
      return [name.isEmpty ? strings[.formPhotoKept] : SafeText(name), strings[.askPhotoRemoval]]
    case .draftRemoval(_, let name):
      return [name.isEmpty ? strings[.draftUnnamed] : SafeText(name), strings[.askDraftRemoval]]
    case .draft(let draft):
      let age = AgeText.text(draft.changed, now: context.now, strings)
      return [SafeText(draft.values.name), strings(.askDraft, age)]
    }
  }
}
