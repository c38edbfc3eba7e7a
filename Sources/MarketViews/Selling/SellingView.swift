internal import EditorKit
internal import MarketModel
import MarketStrings
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
    case .currency(let selected): currencies(selected: selected).draw(on: &canvas)
    case .drafts(let list): drafts(list).draw(on: &canvas)
    case .conflict(let conflict):
      ConflictView(conflict: conflict, bounds: bounds, context: context).draw(on: &canvas)
    case .sending(let purpose): drawSending(purpose, on: &canvas)
    }
  }

  private func drawSellerName(_ editor: LineEditor, on canvas: inout Canvas) {
    let box = nameBox
    box.draw(on: &canvas)
    let question: Phrase = selling.form == nil ? .sellerNameChange : .sellerNameQuestion
    let text = strings[question].truncated(toColumns: box.content.columns)
    canvas.write(text, at: box.content.origin, style: context.theme.text)
    nameField(editor).draw(on: &canvas, context)
  }

  private var nameBox: Box {
    Box(title: strings[.sellerNameTitle], rows: 3, in: bounds, context)
  }

  private func nameField(_ editor: LineEditor) -> FieldLine {
    FieldLine(
      label: strings[.fieldSellerName], editor: editor, rect: nameBox.content.row(2), hint: .empty)
  }

  private var pathBox: Box {
    Box(title: strings[.photoPathTitle], rows: 3, in: bounds, context)
  }

  private func pathField(_ line: PhotoPathLine) -> FieldLine {
    FieldLine(
      label: strings[.photoPathLabel], editor: line.editor, rect: pathBox.content.row(0),
      hint: strings[.photoPathHint])
  }

  /// The place in the line of a dialog at a point, for a click.
  func place(at point: CellPoint) -> Int? {
    switch selling.dialog {
    case .sellerName(let editor): nameField(editor).place(at: point)
    case .photoPath(let line): pathField(line).place(at: point)
    default: nil
    }
  }

  private func drawPhotoPath(_ line: PhotoPathLine, on canvas: inout Canvas) {
    let box = pathBox
    box.draw(on: &canvas)
    pathField(line).draw(on: &canvas, context)
    let choices = line.choices.map { SafeText($0.isFolder ? $0.name + "/" : $0.name) }
    let text = choices.isEmpty ? strings[.photoPathHelp] : choices.joined(separator: "  ")
    for (row, line) in text.wrapped(toColumns: box.content.columns).prefix(2).enumerated() {
      canvas.write(line, at: box.content.row(row + 1).origin, style: context.theme.secondary)
    }
  }

  private func currencies(selected: Int) -> ChoiceBox {
    ChoiceBox(
      title: strings[.fieldCurrency],
      lines: (selling.form?.currencies ?? []).map { (MoneyText.code($0), .empty) },
      selected: selected, columns: 24, bounds: bounds, context: context)
  }

  private func drafts(_ list: DraftList) -> ChoiceBox {
    ChoiceBox(
      title: strings[.draftsTitle],
      lines: list.drafts.map { DraftLine.texts($0, context) }
        + [("+ " + strings[.draftNew], .empty)],
      selected: list.selected, bounds: bounds, context: context)
  }

  /// The answer to a question at a point, for a click.
  func answer(at point: CellPoint) -> Bool? {
    guard case .question(let question) = selling.dialog else { return nil }
    return QuestionView(question: question, market: market, bounds: bounds, context: context)
      .answer(at: point)
  }

  /// The version of a field at a point, for a click.
  func version(at point: CellPoint) -> (row: Int, isMine: Bool)? {
    guard case .conflict(let conflict) = selling.dialog else { return nil }
    return ConflictView(conflict: conflict, bounds: bounds, context: context).version(at: point)
  }

  /// The line of a list at a point, for a click.
  func choice(at point: CellPoint) -> Int? {
    switch selling.dialog {
    case .currency(let selected): currencies(selected: selected).line(at: point)
    case .drafts(let list): drafts(list).line(at: point)
    case .picker(let picker):
      PickerView(picker: picker, bounds: bounds, context: context).entry(at: point)
    default: nil
    }
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
