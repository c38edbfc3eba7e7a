internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
package import TerminalKit

extension ConfirmationModel: ViewedLayer {
  package func view(in frame: Frame) -> ConfirmationView {
    ConfirmationView(model: self, frame: frame)
  }
}

/// Dialog that describes an action, with its two answers.
package struct ConfirmationView: LayerView {
  package let model: ConfirmationModel
  package let frame: Frame

  package static let bindings = BindingTable<ConfirmationView>(
    [
      Binding("confirm", [.enter], .keyConfirm, footer: 10, when: \.model.hasChoice) {
        $0.model.confirm()
      },
      Binding("yes", ["y"], .keyYes, footer: 30) { $0.model.answer(true) },
      Binding("no", ["n"], .keyNo, footer: 40) { $0.model.answer(false) },
      Binding(
        "other-answer", [.tab, .left, .right, .backTab, "h", "l"], .keyOtherAnswer, footer: 20
      ) { $0.model.chooseOther() },
      Binding("up", [.up, "k"], .keyUp, when: \.isCut) { $0.scrollText(by: -1) }.grouped(.move),
      Binding("down", [.down, "j"], .keyDown, when: \.isCut) { $0.scrollText(by: 1) }
        .grouped(.move),
      SharedBindings.cancel(footer: 50) { $0.model.cancel() },
    ])
  package static var opens: [any LayerView.Type] { [SendingView.self, ConflictView.self] }
  package static var takesOwnKeys: Bool { false }

  private static let columns = 58

  package var needsTypedKeys: Bool { model.isDestructive }

  package func press(at point: CellPoint) -> Bool {
    guard let isYes = answers.answer(at: point) else { return false }
    model.answer(isYes)
    return true
  }

  package func draw(on canvas: inout Canvas) {
    box.draw(on: &canvas)
    let area = area
    let first = min(model.scrolledLines, hiddenLines)
    for (row, line) in lines.dropFirst(first).prefix(answerRow).enumerated() {
      let style = first + row == 0 ? context.theme.strong : context.theme.text
      canvas.write(line.truncated(toColumns: area.columns), at: area.row(row).origin, style: style)
    }
    if first < hiddenLines, answerRow > 0 {
      let position = CellPoint(column: area.maxColumn - 1, row: area.minRow + answerRow - 1)
      canvas.put(.moreBelow, at: position, style: context.theme.accent)
    }
    answers.draw(on: &canvas)
  }

  /// Lines of the text that do not fit.
  private var hiddenLines: Int { max(0, lines.count - answerRow) }
  private var isCut: Bool { hiddenLines > 0 }

  private func scrollText(by lines: Int) { model.scroll(by: lines, limit: hiddenLines) }

  package func scroll(by notches: Int) -> Bool {
    scrollText(by: notches)
    return true
  }

  /// Columns of the text in the box.
  private var textColumns: Int { min(Self.columns, frame.body.columns - 2) - 6 }

  private var lines: [SafeText] {
    let (name, question) = text
    return name.wrapped(toColumns: textColumns) + changeRows
      + question.wrapped(toColumns: textColumns)
  }

  /// Fields of the sale, or old and new value of each changed field, with blank lines around.
  private var changeRows: [SafeText] {
    let changes: FieldChanges
    switch model.subject {
    case .registration(let values): return [.empty] + saleRows(of: values) + [.empty]
    case .edit(_, let edited): changes = edited
    case .undo(_, let undone, _), .redo(_, let undone, _): changes = undone
    case .deletion, .questionDeletion, .photoRemoval, .draftRemoval, .templateRemoval, .draft,
      .queued, .link, .market, .abandonment, .alert, .relocation:
      return []
    }
    let rows = ChangeText(changes: changes, strings: context.strings).rows(columns: textColumns)
    return [.empty] + rows + [.empty]
  }

  private func saleRows(of values: FormValues) -> [SafeText] {
    let sale = FieldText.sale(of: values, context.strings)
    let labels = sale.map { context.strings[$0.field.phrase] }
    let widest = labels.map(\.columns).max() ?? 0
    return zip(labels, sale).map { label, row in
      label + SafeText(String(repeating: " ", count: widest - label.columns + 2)) + row.value
    }
  }

  private var box: Box {
    Box(
      title: context.strings[title], columns: Self.columns, rows: lines.count + 4, in: frame.body,
      context)
  }

  /// Area of text and answers, with a blank row above and below where these fit.
  private var area: CellRect {
    let content = box.content
    let padding = content.rows >= lines.count + 4 ? 1 : 0
    return content.inset(left: 1, top: padding, right: 1, bottom: padding)
  }

  private var answerRow: Int { max(0, min(lines.count + 1, area.rows - 1)) }

  private var answers: AnswerLine {
    AnswerLine(
      yes: context.strings[yes], no: context.strings[no], isYes: model.isYes,
      line: area.row(answerRow), context: context)
  }

  private var title: Phrase {
    switch model.subject {
    case .registration: .titleRegistration
    case .edit: .titleEdit
    case .deletion, .questionDeletion: .titleDeletion
    case .undo: .titleUndo
    case .redo: .titleRedo
    case .photoRemoval: ProductField.pictures.phrase
    case .draftRemoval, .templateRemoval, .draft, .queued, .abandonment: .draftsTitle
    case .link, .market: .actionsLinks
    case .alert: .keyAddAlert
    case .relocation: .titleRelocation
    }
  }

  private var yes: Phrase {
    switch model.subject {
    case .registration: .keySubmit
    case .queued(let draft) where draft.target.asked != nil: .keySend
    case .edit, .queued: .answerSend
    case .deletion, .questionDeletion, .draftRemoval, .templateRemoval: .keyDelete
    case .photoRemoval: .keyRemovePhoto
    case .undo: .titleUndo
    case .redo: .titleRedo
    case .draft: .answerGoOn
    case .link: .answerOpenLink
    case .market: .answerOpenMarket
    case .abandonment: .answerLeave
    case .alert: .keyAddAlert
    case .relocation: .answerMove
    }
  }

  private var no: Phrase {
    switch model.subject {
    case .draft(let draft): draft.target == .registration ? .draftNew : .answerWithoutDraft
    default: .answerNo
    }
  }

  /// Name of the subject, and the question.
  private var text: (name: SafeText, question: SafeText) {
    let strings = context.strings
    switch model.subject {
    case .registration(let values):
      let count = values.photos.count
      let question = strings(.askRegistration, frame.marketName, SafeText(count), number: count)
      return (SafeText(values.name), question)
    case .edit(let name, _): return (SafeText(name), strings(.askEdit, frame.marketName))
    case .deletion(let product): return (product.name, strings(.askDeletion, frame.marketName))
    case .questionDeletion(let question):
      return (QuestionText(question, context).text, strings[.askQuestionDeletion])
    case .undo(let product, _, let losesPhotos):
      return (product.name, strings[losesPhotos ? .askUndoWithoutPhotos : .askUndo])
    case .photoRemoval(let name):
      return (name.isEmpty ? strings[.formPhotoKept] : SafeText(name), strings[.askPhotoRemoval])
    case .redo(let product, _, let losesPhotos):
      let question = strings[.askRedo]
      return (
        product.name, losesPhotos ? question + " " + strings[.hintPhotosGone] + "." : question
      )
    case .draftRemoval(let draft):
      return (DraftLine.name(of: draft, strings), strings[.askDraftRemoval])
    case .templateRemoval(let name): return (SafeText(name), strings[.askTemplateRemoval])
    case .abandonment(let name):
      return (name.isEmpty ? strings[.draftUnnamed] : SafeText(name), strings[.askAbandonment])
    case .relocation(let previous):
      return (previous ?? strings[.marketLocal], strings(.askRelocation, frame.marketName))
    case .alert(let target, let limit):
      let today = target.price.map(MoneyText.text) ?? .empty
      return (SafeText(target.name), strings(.askAlertNow, today, MoneyText.text(limit)))
    case .link(let link): return (SafeText(link.address), strings[.askLink])
    case .market(let link):
      return (
        SafeText(link.market.text), strings(.askMarket, SafeText(link.product.rawValue))
      )
    case .draft(let draft), .queued(let draft):
      let question: Phrase = draft.isWaiting ? .askQueued : .askDraft
      return (
        DraftLine.name(of: draft, strings), strings(question, DraftLine.age(of: draft, context))
      )
    }
  }
}
