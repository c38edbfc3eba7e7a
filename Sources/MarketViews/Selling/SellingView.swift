internal import EditorKit
internal import MarketModel
internal import MarketViewModels
internal import SafeText
internal import TerminalKit

/// What lies over the form or the list while something is sold.
struct SellingView {
  let selling: SellingModel
  /// The market's name, for prompts.
  let market: SafeText
  let bounds: CellRect
  let context: RenderContext

  private var strings: Strings { context.strings }

  func draw(on canvas: inout Canvas, gallery: PictureGallery) {
    switch selling.dialog {
    case nil: break
    case .password(let prompt):
      PasswordView(prompt: prompt, market: market, bounds: bounds, context: context)
        .draw(on: &canvas)
    case .question(let question):
      QuestionView(question: question, market: market, bounds: bounds, context: context)
        .draw(on: &canvas)
    case .sellerName(let editor): drawSellerName(editor, on: &canvas)
    case .photoPath(let line): drawPhotoPath(line, on: &canvas)
    case .picker(let picker):
      PickerView(picker: picker, bounds: bounds, context: context)
        .draw(on: &canvas, gallery: gallery)
    case .currency(let selected): drawCurrencies(selected: selected, on: &canvas)
    case .drafts(let list): drawDrafts(list, on: &canvas)
    case .conflict(let conflict):
      ConflictView(conflict: conflict, bounds: bounds, context: context).draw(on: &canvas)
    case .sending(let purpose): drawSending(purpose, on: &canvas)
    }
  }

  private func drawSellerName(_ editor: LineEditor, on canvas: inout Canvas) {
    let box = Box(title: strings[.sellerNameTitle], rows: 3, in: bounds, context)
    box.draw(on: &canvas)
    let question: Phrase = selling.form == nil ? .sellerNameChange : .sellerNameQuestion
    let text = strings[question].truncated(toColumns: box.content.columns)
    canvas.write(text, at: box.content.origin, style: context.theme.text)
    FieldLine(
      label: strings[.fieldSellerName], editor: editor, rect: box.content.row(2), hint: .empty
    ).draw(on: &canvas, context)
  }

  private func drawPhotoPath(_ line: PhotoPathLine, on canvas: inout Canvas) {
    let box = Box(title: strings[.photoPathTitle], rows: 3, in: bounds, context)
    box.draw(on: &canvas)
    FieldLine(
      label: strings[.photoPathLabel], editor: line.editor, rect: box.content.row(0),
      hint: strings[.photoPathHint]
    ).draw(on: &canvas, context)
    let choices = line.choices.map { SafeText($0.isFolder ? $0.name + "/" : $0.name) }
    let text = choices.isEmpty ? strings[.photoPathHelp] : choices.joined(separator: "  ")
    for (row, line) in text.wrapped(toColumns: box.content.columns).prefix(2).enumerated() {
      canvas.write(line, at: box.content.row(row + 1).origin, style: context.theme.secondary)
    }
  }

  private func drawCurrencies(selected: Int, on canvas: inout Canvas) {
    let lines = (selling.form?.currencies ?? []).map { (SafeText($0.rawValue), SafeText.empty) }
    ChoiceBox(
      title: strings[.fieldCurrency], lines: lines, selected: selected, columns: 24,
      bounds: bounds, context: context
    ).draw(on: &canvas)
  }

  private func drawDrafts(_ list: DraftList, on canvas: inout Canvas) {
    let drafts = list.drafts.map { draft in
      let name = SafeText(draft.values.name)
      return (
        name.isEmpty ? strings[.draftUnnamed] : name,
        AgeText.text(draft.changed, now: context.now, strings)
      )
    }
    ChoiceBox(
      title: strings[.draftsTitle], lines: drafts + [("+ " + strings[.draftNew], .empty)],
      selected: list.selected, bounds: bounds, context: context
    ).draw(on: &canvas)
  }

  private func drawSending(_ purpose: SellingIntent.Purpose, on canvas: inout Canvas) {
    let box = Box(title: strings[purpose.phrase], rows: 2, in: bounds, context)
    box.draw(on: &canvas)
    canvas.write(strings[.sending], at: box.content.origin, style: context.theme.text)
    guard let upload = selling.upload, upload.total > 0 else { return }
    let bar = box.content.row(1)
    let done = bar.columns * min(upload.sent, upload.total) / upload.total
    canvas.fill(bar, style: context.theme.field)
    canvas.horizontalRule(
      at: bar.origin, columns: done, style: context.theme.selected(context.theme.accent),
      symbol: .heavyRule)
    let text = BytesText.text(upload.sent) + " / " + BytesText.text(upload.total)
    let start = box.content.origin.moved(columns: box.content.columns - text.columns)
    canvas.write(text, at: start, style: context.theme.secondary)
  }
}

extension SellingIntent.Purpose {
  /// The title of what asks about it.
  var phrase: Phrase {
    switch self {
    case .registration: .titleRegistration
    case .edit: .titleEdit
    case .deletion: .titleDeletion
    case .undo: .titleUndo
    case .renaming: .sellerNameTitle
    }
  }
}
