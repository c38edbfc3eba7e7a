internal import EditorKit
internal import MarketModel
internal import MarketViewModels
internal import TerminalKit

/// The mouse in the form and in what lies over it.
extension SellingRouter {
  private static let rowsPerNotch = 3

  func turnWheel(_ direction: Int) {
    guard let selling else { return }
    if selling.dialog != nil { return move(by: direction, selling) }
    guard selling.form?.focus == .description else { return }
    let columns = descriptionColumns
    selling.edit { form in
      form.editDescription { $0.move(.rows(direction * Self.rowsPerNotch), columns: columns) }
    }
  }

  func press(at point: CellPoint) {
    guard let selling, let layout = screen.layout, let view = screen.sellingView(layout) else {
      return
    }
    guard let dialog = selling.dialog else { return pressForm(at: point, layout, selling) }
    switch dialog {
    case .currency(let selected):
      guard let line = view.choice(at: point) else { return }
      selling.moveInCurrencies(by: line - selected)
      selling.chooseCurrency()
    case .drafts(let list):
      guard let line = view.choice(at: point) else { return }
      selling.moveInDrafts(by: line - list.selected)
      selling.chooseDraft()
    case .picker(let picker):
      guard let line = view.choice(at: point) else { return }
      // The first click shows a picture beside the list, the second takes it.
      if line == picker.selected { return selling.choosePicked() }
      selling.moveInPicker(by: line - picker.selected)
    case .sellerName:
      if let place = view.place(at: point) {
        selling.editSellerName { $0.buffer.move(to: place) }
      }
    case .photoPath:
      if let place = view.place(at: point) {
        selling.editPhotoPath { $0.buffer.move(to: place) }
      }
    case .question: pressQuestion(at: point, view, selling)
    case .conflict(let conflict): pressConflict(conflict, at: point, view, selling)
    case .password, .sending: break
    }
  }

  private func pressQuestion(at point: CellPoint, _ view: SellingView, _ selling: SellingModel) {
    if let answer = view.answer(at: point) { selling.answer(answer) }
  }

  /// Chooses the version that was clicked on.
  private func pressConflict(
    _ conflict: ConflictModel, at point: CellPoint, _ view: SellingView, _ selling: SellingModel
  ) {
    guard let (row, isMine) = view.version(at: point) else { return }
    selling.moveInConflict(by: row - conflict.selected)
    if conflict.rows[row].keepsMine != isMine { selling.toggleConflict() }
  }

  // MARK: Form

  /// Goes to the field under a click, and to the place in its text.
  private func pressForm(at point: CellPoint, _ screenLayout: ScreenLayout, _ selling: SellingModel)
  {
    guard let form = selling.form else { return }
    let layout = FormLayout(screenLayout.body, form: form)
    guard let field = layout.field(at: point, focus: form.focus) else { return }
    let strip = layout.strip(of: field, focus: form.focus) ?? .zero
    selling.edit { form in
      form.focus(field)
      form.placeCaret(
        column: point.column - strip.minColumn - 1, row: point.row - strip.minRow, in: strip)
    }
    switch form[field] {
    case .photos: pressPhotos(at: point, layout, form, selling)
    case .choice: selling.openCurrency()
    case .line, .number, .area, .secret: break
    }
  }

  /// Selects a photo, or opens the line for another one behind the last.
  private func pressPhotos(
    at point: CellPoint, _ layout: FormLayout, _ form: ProductForm, _ selling: SellingModel
  ) {
    guard layout.photos.contains(point) else { return }
    let tiles = layout.tiles(count: form.photos.photos.count)
    let index = tiles.firstIndex { $0.contains(point) } ?? tiles.count
    selling.edit { form in form.editPhotos { $0.select(index) } }
    if index == tiles.count { selling.openPhotoPath() }
  }
}

extension ProductForm {
  /// Puts the caret of the field that has the focus to a cell of its text.
  fileprivate mutating func placeCaret(column: Int, row: Int, in strip: CellRect) {
    let column = max(0, column)
    let columns = strip.columns - 2
    switch self[focus] {
    case .line(let editor): place(editor.place(at: column, columns: columns))
    case .number(let editor): place(editor.place(at: column, columns: columns))
    case .area(let editor):
      let layout = editor.layout(columns: strip.columns - 1)
      let first = layout.window(height: strip.rows).lowerBound
      place(layout.place(row: first + row, column: column))
    case .photos, .choice, .secret: break
    }
  }

  private mutating func place(_ place: Int) {
    edit(TextChange { $0.buffer.move(to: place) })
  }
}
