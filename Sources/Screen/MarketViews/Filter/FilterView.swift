internal import EditorKit
internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
package import TerminalKit

extension FilterModel: ViewedLayer {
  package func view(in frame: Frame) -> FilterView { FilterView(model: self, frame: frame) }
}

/// Filter dialog: the request for products, one field per row.
package struct FilterView: LayerView {
  package let model: FilterModel
  package let frame: Frame

  package static var screenName: Phrase? { .keyFilter }
  package static let bindings = BindingTable<FilterView>(
    [
      Binding("choose", [.enter], .keyChoose, footer: 10, when: \.model.hasManyChoices) {
        $0.model.openChoices(on: $0.navigator.stack)
      },
      Binding("confirm", [.control("s")], .keyConfirm, footer: 12, when: \.model.hasManyChoices) {
        $0.confirm()
      },
      Binding("confirm", [.enter, .control("s")], .keyConfirm, footer: 10) { $0.confirm() },
      Binding("cancel", [.escape], .keyCancel, footer: 20) { view in
        view.model.cancel()
        view.close()
      },
      Binding("complete", [.right], .keyComplete, footer: 15, when: \.hasCompletion) {
        $0.model.complete()
      },
      Binding("next-field", [.tab, .down], .keyNextField, footer: 30) { $0.model.moveFocus(by: 1) },
      Binding("previous-field", [.backTab, .up], .keyPreviousField) {
        $0.model.moveFocus(by: -1)
      },
      Binding("next-choice", [.right, " "], .keyNextChoice, footer: 40, when: \.model.isOnChoice) {
        $0.model.choose(by: 1)
      },
      Binding("previous-choice", [.left], .keyPreviousChoice, when: \.model.isOnChoice) {
        $0.model.choose(by: -1)
      },
      Binding(
        "clear-field", [.backspace, .delete, .control("u")], .keyClearField, footer: 50,
        when: \.model.isOnChoice
      ) { $0.model.clear() },
      Binding("clear-field", [.control("u")], .keyClearField, footer: 50) { $0.model.clear() },
      SharedBindings.helpOverText(), SharedBindings.quit(),
    ])
  package static var opens: [any LayerView.Type] { [ChoiceView.self] }
  package static var takesOwnKeys: Bool { false }

  private var hasCompletion: Bool { model.completion != nil }

  package var isText: Bool { true }
  package var editingRows: [EditingRow] { model.isOnChoice ? [] : LineKeys.rows }

  package func edit(_ key: KeyPress) -> Bool {
    guard !model.isOnChoice, let change = LineKeys.change(for: key) else { return false }
    model.edit(change)
    return true
  }

  package func paste(_ text: String) -> Bool {
    guard !model.isOnChoice else { return false }
    model.edit(TextChange { $0.paste(text) })
    return true
  }

  /// Applies the request; an unreadable amount has to be corrected first.
  private func confirm() {
    guard let error = model.leadToProblem() else {
      // What the request opens is above the products, not above the dialog.
      close()
      return navigator.follow(model.confirm())
    }
    navigator.announce(.words("✗ " + ProblemText.text(error, context.strings)))
  }

  /// Moves the focus to the clicked field, and the caret to the clicked position; on a focused choice,
  /// selects the next one.
  package func press(at point: CellPoint) -> Bool {
    guard let row = rows.first(where: { $0.rect.contains(point) }) else {
      if !box.rect.contains(point) { confirm() }
      return true
    }
    if row.field == model.focus, model.hasManyChoices {
      model.openChoices(on: navigator.stack)
      return true
    }
    if row.field == model.focus, model.isOnChoice { model.choose(by: 1) }
    model.focus(row.field)
    let room = room(in: row.rect)
    if let place = model.editor(of: row.field)?.position(
      at: max(0, point.column - room.minColumn), columns: room.columns)
    {
      model.edit(TextChange { $0.buffer.move(to: place) })
    }
    return true
  }

  package func scroll(by notches: Int) -> Bool {
    model.moveFocus(by: notches > 0 ? 1 : -1)
    return true
  }

  // MARK: Places

  private static let columns = 66
  /// Columns of an amount that a note at its end leaves free.
  private static let shortAmount = 10
  /// Columns between a label and its field.
  private static let gap = 3

  private var fields: [FilterModel.Field] { FilterModel.Field.allCases }

  private var box: Box {
    Box(
      title: context.strings[.menuFilter], columns: Self.columns,
      rows: fields.count + (note.isEmpty ? 0 : 1), in: frame.body, context)
  }

  /// Fields that fit, including the focused one.
  private var rows: [(field: FilterModel.Field, rect: CellRect)] {
    let content = box.content
    let count = min(fields.count, note.isEmpty ? content.rows : max(1, content.rows - 1))
    let focus = fields.firstIndex(of: model.focus) ?? 0
    let first = max(0, min(focus - count / 2, fields.count - count))
    return fields[first..<first + max(0, count)].enumerated().map { row, field in
      (field, content.row(row))
    }
  }

  private var labelColumns: Int {
    let widest = fields.map { context.strings[$0.phrase].columns }.max() ?? 0
    return min(widest, box.content.columns / 3)
  }

  /// Strip of the focused field, at which its choices open.
  package var selectedPlace: CellRect? {
    rows.first { $0.field == model.focus }.map { strip(in: $0.rect) }
  }

  private func strip(in row: CellRect) -> CellRect { row.inset(left: labelColumns + Self.gap) }
  private func room(in row: CellRect) -> CellRect { strip(in: row).inset(left: 1, right: 1) }

  // MARK: Drawing

  package func draw(on canvas: inout Canvas) {
    let box = box
    box.draw(on: &canvas)
    for row in rows { draw(row.field, in: row.rect, on: &canvas) }
    guard !note.isEmpty, box.content.rows > 1 else { return }
    let line = box.content.row(box.content.rows - 1)
    canvas.write(
      note.truncated(toColumns: line.columns), at: line.origin, style: context.theme.warning)
  }

  /// Notes about parts of the request that cannot be met, except those shown beside a field.
  private var note: SafeText {
    model.searching.notes.filter { note in
      switch note {
      case .unknownSeller, .failed: true
      case .unanswered, .unsorted: false
      }
    }
    .map { RequestText.note($0, context.strings) }.joined(separator: " · ")
  }

  private func draw(_ field: FilterModel.Field, in row: CellRect, on canvas: inout Canvas) {
    let theme = context.theme
    let hasFocus = field == model.focus
    canvas.write(
      context.strings[field.phrase].truncated(toColumns: labelColumns), at: row.origin,
      style: hasFocus ? theme.accent : theme.secondary)
    if hasFocus {
      canvas.put(.focused, at: row.origin.moved(columns: labelColumns + 1), style: theme.accent)
    }
    let strip = strip(in: row)
    let style =
      hasFocus
      ? theme.focusedField
      : fields.firstIndex(of: field)?.isMultiple(of: 2) == true
        ? theme.restingField : theme.lowerField
    canvas.fill(strip, style: style)
    drawContent(of: field, in: room(in: row), style, on: &canvas)
    drawReason(of: field, in: room(in: row), on: style, on: &canvas)
  }

  private func drawContent(
    of field: FilterModel.Field, in room: CellRect, _ style: Style, on canvas: inout Canvas
  ) {
    let hasFocus = field == model.focus && navigator.stack.top === model
    guard let editor = model.editor(of: field) else {
      let choice = RequestText.choice(model.choice(of: field), context.strings)
      let text =
        !hasFocus ? choice : model.hasManyChoices ? choice + " ▾" : "‹ " + choice + " ›"
      canvas.write(text.truncated(toColumns: room.columns), at: room.origin, style: style)
      if hasFocus { canvas.setCursor(at: room.origin, isVisible: false) }
      return
    }
    guard let (typed, caret) = editor.visible(columns: room.columns) else { return }
    let grouped = field == model.focus ? nil : model.grouped(field).map { SafeText($0) }
    let text = grouped?.truncated(toColumns: room.columns) ?? typed
    canvas.write(text, at: room.origin, style: style)
    if text.isEmpty, let hint = field.hint {
      canvas.write(
        context.strings[hint].truncated(toColumns: room.columns), at: room.origin,
        style: context.theme.secondary.on(style.background))
    }
    if hasFocus, let completion = model.completion, case .line(let line) = editor {
      CompletionText(completion, of: line).draw(
        on: &canvas, in: room, context.theme.secondary.on(style.background))
    }
    if hasFocus { canvas.setCursor(at: room.origin.moved(columns: caret), isVisible: true) }
  }

  /// Draws at the end of a field why it has no effect.
  private func drawReason(
    of field: FilterModel.Field, in room: CellRect, on style: Style, on canvas: inout Canvas
  ) {
    if let problem = model.problem(of: field) {
      return drawAtEnd(
        "✗ " + ProblemText.text(problem, context.strings), in: room,
        style: context.theme.warning.on(style.background), on: &canvas)
    }
    guard model.note(for: field) != nil || hasOnlyOneChoice(field) else { return }
    drawAtEnd(
      context.strings[.filterNotHere].truncated(toColumns: room.columns / 2), in: room,
      style: context.theme.secondary.on(style.background), on: &canvas)
  }

  private func drawAtEnd(
    _ text: SafeText, in room: CellRect, style: Style, on canvas: inout Canvas
  ) {
    let text = text.truncated(toColumns: room.columns - min(Self.shortAmount, room.columns / 3))
    canvas.write(
      text, at: room.origin.moved(columns: room.columns - text.columns), style: style)
  }

  /// Whether the market supports only one of the choices.
  private func hasOnlyOneChoice(_ field: FilterModel.Field) -> Bool {
    let choices = model.choices(of: field)
    return choices.count > 1 && choices.count { model.note(for: $0) == nil } == 1
  }
}

extension FieldEditor {
  /// Returns the visible part of a line with the caret's column; nil for other fields.
  fileprivate func visible(columns: Int) -> (text: SafeText, caretColumn: Int)? {
    switch self {
    case .line(let editor): editor.visible(columns: columns)
    case .number(let editor): editor.visible(columns: columns)
    case .area, .choice, .photos, .secret: nil
    }
  }

  fileprivate func position(at column: Int, columns: Int) -> Int? {
    switch self {
    case .line(let editor): editor.position(at: column, columns: columns)
    case .number(let editor): editor.position(at: column, columns: columns)
    case .area, .choice, .photos, .secret: nil
    }
  }
}

extension FilterModel.Field {
  var phrase: Phrase {
    switch self {
    case .words: .filterWords
    case .priceFrom: .filterPriceFrom
    case .priceTo: .filterPriceTo
    case .choice(let field): field.phrase
    case .place: ProductField.place.phrase
    case .sale: .filterReduced
    case .stock: .filterStock
    case .seller: .filterSeller
    case .age: .filterNew
    case .order: .menuOrder
    case .scope: .filterScope
    }
  }

  /// Hint in an empty field; nil for none.
  fileprivate var hint: Phrase? {
    switch self {
    case .words: .searchHint
    case .seller: .filterSellerHint
    case .place: .filterPlaceHint
    case .priceFrom, .priceTo, .choice, .sale, .stock, .age, .order, .scope: nil
    }
  }
}
