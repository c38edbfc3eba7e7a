internal import MarketModel
import MarketStrings
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
    let box = box
    box.draw(on: &canvas)
    let area = area(of: box)
    for (row, line) in lines.enumerated() {
      let style = row == 0 ? context.theme.strong : context.theme.text
      canvas.write(line.truncated(toColumns: area.columns), at: area.row(row).origin, style: style)
    }
    for answer in answers {
      let isChosen = answer.isYes == question.isYes
      let style =
        isChosen ? context.theme.selected(context.theme.accent) : context.theme.secondary
      if isChosen { canvas.setCursor(at: answer.rect.origin, isVisible: false) }
      canvas.write((isChosen ? "▸ " : "  ") + answer.text, at: answer.rect.origin, style: style)
    }
  }

  /// The answer at a point, for a click.
  func answer(at point: CellPoint) -> Bool? {
    answers.first { $0.rect.contains(point) }?.isYes
  }

  private var lines: [SafeText] {
    text.flatMap { $0.wrapped(toColumns: min(Self.columns, bounds.columns - 2) - 6) }
  }

  private var box: Box {
    Box(
      title: context.strings[title], columns: Self.columns, rows: lines.count + 3, in: bounds,
      context)
  }

  private func area(of box: Box) -> CellRect { box.content.inset(left: 1, top: 1, right: 1) }

  /// Where the two answers stand, side by side.
  private var answers: [(isYes: Bool, text: SafeText, rect: CellRect)] {
    var place = area(of: box).row(lines.count + 1).origin
    return [(true, yes), (false, no)].map { isYes, phrase in
      let text = context.strings[phrase] + " "
      let rect = CellRect(origin: place, size: CellSize(columns: text.columns + 2, rows: 1))
      place = place.moved(columns: rect.columns + 2)
      return (isYes, text, rect)
    }
  }

  private var title: Phrase {
    switch question.subject {
    case .registration: .titleRegistration
    case .edit: .titleEdit
    case .deletion: .titleDeletion
    case .undo: .titleUndo
    case .photoRemoval: .fieldPhotos
    case .draftRemoval, .draft, .abandonment: .draftsTitle
    }
  }

  private var yes: Phrase {
    switch question.subject {
    case .registration: .keySubmit
    case .edit: .answerSend
    case .deletion, .photoRemoval, .draftRemoval: .keyDelete
    case .undo: .keyUndoEdit
    case .draft: .answerGoOn
    case .abandonment: .answerLeave
    }
  }

  private var no: Phrase {
    if case .draft = question.subject { .draftNew } else { .answerNo }
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
    case .undo(let product, let losesPhotos):
      return [product.name, strings[losesPhotos ? .askUndoWithoutPhotos : .askUndo]]
    case .photoRemoval(_, let name):
      return [name.isEmpty ? strings[.formPhotoKept] : SafeText(name), strings[.askPhotoRemoval]]
    case .draftRemoval(_, let name):
      return [name.isEmpty ? strings[.draftUnnamed] : SafeText(name), strings[.askDraftRemoval]]
    case .abandonment(let name):
      return [name.isEmpty ? strings[.draftUnnamed] : SafeText(name), strings[.askAbandonment]]
    case .draft(let draft):
      let age = AgeText.text(draft.changed, now: context.now, strings)
      return [SafeText(draft.values.name), strings(.askDraft, age)]
    }
  }
}
