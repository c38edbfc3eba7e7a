internal import EditorKit
internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// Drawing of the form that registers or edits a product.
struct FormView {
  let form: ProductForm
  let layout: FormLayout
  let context: RenderContext
  /// Minimum columns of typed text beside a problem within the field.
  private static let typedColumns = 3
  /// Whether the form is the top layer.
  let hasKeys: Bool
  /// Completion of the focused text that the right arrow accepts; nil for none.
  var completion: String?

  init(_ form: ProductForm, bounds: CellRect, hasKeys: Bool, context: RenderContext) {
    self.form = form
    self.hasKeys = hasKeys
    self.context = context
    layout = FormLayout(bounds, form: form, context)
  }

  func draw(on canvas: inout Canvas, gallery: PictureGallery) {
    if form.purpose.asked == nil {
      PhotoStrip(form: form, layout: layout, context: context, hasKeys: hasKeys)
        .draw(on: &canvas, gallery: gallery)
    }
    FormPreview(form: form, layout: layout, context: context).draw(on: &canvas, gallery: gallery)
    for field in form.fields {
      guard let strip = layout.strip(of: field, focus: form.focus) else { continue }
      drawLabel(of: field, beside: strip, on: &canvas)
      drawContent(of: field, in: strip, on: &canvas)
      drawProblem(of: field, beside: field == .password ? strip.row(0) : strip, on: &canvas)
    }
  }

  // MARK: Labels

  private func drawLabel(of field: ProductField, beside strip: CellRect, on canvas: inout Canvas) {
    let isFocused = field == form.focus
    let theme = context.theme
    let start = CellPoint(
      column: layout.labelColumn(of: strip), row: layout.labelRow(of: field, in: strip))
    canvas.write(
      FormLabel.text(of: field, in: form, context.strings).truncated(toColumns: layout.labels),
      at: start, style: isFocused ? theme.accent : theme.secondary)
    guard isFocused else { return }
    let row = field == .password && form.entry.isRepeating ? 1 : 0
    canvas.put(
      .focused, at: start.moved(columns: layout.labels + 1, rows: row), style: theme.accent)
  }

  // MARK: Contents

  private func drawContent(of field: ProductField, in strip: CellRect, on canvas: inout Canvas) {
    switch form[field] {
    case .photos: break
    case .line(let editor):
      drawLine(in: strip, field, on: &canvas, editor.visible)
      if field == form.focus, let completion {
        CompletionText(completion, of: editor)
          .draw(
            on: &canvas, in: strip.inset(left: 1, right: 1),
            context.theme.secondary.on(style(of: field)))
      }
      drawCounter(of: field, beside: strip, on: &canvas)
    case .number(let editor): drawNumber(editor, of: field, in: strip, on: &canvas)
    case .choice(let choice):
      let text = tick(choice) ?? FieldText.choice(choice, of: field, context.strings) + " ▾"
      drawLine(in: strip, field, on: &canvas, hidesCursor: true) { columns in
        (text.truncated(toColumns: columns), 0)
      }
    case .secret(let entry): drawSecret(entry, in: strip, on: &canvas)
    case .area(let editor): drawArea(editor, of: field, in: strip, on: &canvas)
    }
  }

  /// Checkbox of an answer that reserves the product for the asker; nil for other forms.
  private func tick(_ choice: String) -> SafeText? {
    guard case .answer(let question, _) = form.purpose else { return nil }
    let name = AskerText.text(question.asker, context.strings)
    return (choice.isEmpty ? "[ ] " : "[x] ") + context.strings(.answerReserves, name)
  }

  /// Style of a field: the focused one stands out, and neighbours differ.
  private func style(of field: ProductField) -> Style {
    if field == form.focus { return context.theme.focusedField }
    return layout.shaded.contains(field) ? context.theme.lowerField : context.theme.restingField
  }

  /// Draws a dimmed example in an empty field.
  private func drawExample(of field: ProductField, in room: CellRect, on canvas: inout Canvas) {
    guard let example = FormLabel.example(of: field, in: form) else { return }
    let style = context.theme.secondary.on(style(of: field))
    canvas.write(
      context.strings[example].truncated(toColumns: room.columns), at: room.origin, style: style)
  }

  /// Draws the password, and its repetition in the row below.
  private func drawSecret(_ entry: PasswordEntry, in strip: CellRect, on canvas: inout Canvas) {
    let strings = context.strings
    let isShown = entry.isShown && hasKeys
    func draw(_ secret: PasswordEditor, in row: CellRect, hasCaret: Bool) {
      let text = isShown ? secret.shown : secret.masked
      drawLine(in: row, .password, on: &canvas, isActive: hasCaret) { columns in
        let end = text.dropping(columns: max(0, text.columns - columns + 1))
        return (end, end.columns)
      }
    }
    let isRepeating = entry.isRepeating && entry.needsRepetition
    draw(entry.password, in: strip.row(0), hasCaret: !isRepeating)
    let needsRow = entry.needsRepetition && strip.rows > 1
    if form.problems[.password] == nil {
      let minimum = strings.counted(.problemTooShort, FormRules[.password].length.lowerBound)
      let hint = needsRow ? minimum : strings[.formPasswordHint]
      drawBeside(hint, strip.row(0), isProblem: false, on: &canvas)
    }
    guard needsRow else { return }
    let row = strip.row(1)
    draw(entry.repetition, in: row, hasCaret: isRepeating)
    canvas.write(
      strings[.formRepetition].truncated(toColumns: layout.labels),
      at: CellPoint(column: layout.bounds.minColumn + 1, row: row.minRow),
      style: form.focus == .password ? context.theme.accent : context.theme.secondary)
    let isBlamed = form.blamesRepetition
    drawBeside(
      isBlamed ? "✗ " + strings[.problemNotRepeated] : strings[.formPasswordHint], row,
      isProblem: isBlamed, on: &canvas)
  }

  private func drawLine(
    in strip: CellRect, _ field: ProductField, on canvas: inout Canvas, hidesCursor: Bool = false,
    isActive: Bool = true, _ content: (_ columns: Int) -> (text: SafeText, caretColumn: Int)
  ) {
    let style = isActive ? style(of: field) : context.theme.lowerField
    canvas.fill(strip, style: style)
    let room = strip.inset(left: 1, right: 1)
    let (text, caret) = content(room.columns)
    canvas.write(text, at: room.origin, style: style)
    if form[field].text?.isEmpty == true { drawExample(of: field, in: room, on: &canvas) }
    guard hasKeys, isActive, field == form.focus else { return }
    canvas.setCursor(at: room.origin.moved(columns: caret), isVisible: !hidesCursor)
  }

  /// Draws a number as typed with its interpretation beside it; without the focus only the
  /// interpretation.
  private func drawNumber(
    _ editor: LineEditor, of field: ProductField, in strip: CellRect, on canvas: inout Canvas
  ) {
    let values = form.values
    let grouped = values.isPercent(field) ? nil : values.grouped(field).map { SafeText($0) }
    defer { drawReading(of: editor, in: field, beside: strip, on: &canvas) }
    if field != form.focus, let grouped {
      drawLine(in: strip, field, on: &canvas) { (grouped.truncated(toColumns: $0), 0) }
      return
    }
    drawLine(in: strip, field, on: &canvas, editor.visible)
  }

  /// Draws the interpretation of a number while it is typed, and always the resulting price of a
  /// discount.
  private func drawReading(
    of editor: LineEditor, in field: ProductField, beside strip: CellRect, on canvas: inout Canvas
  ) {
    let values = form.values
    guard form.problems[field] == nil else { return }
    if let price = form.purpose.asked?.product.pricing.price?.toPay {
      guard let offer = form.question.offerHundredths else { return }
      let percent = (price.hundredths - offer) * 100 / max(1, price.hundredths)
      let less =
        percent < 1 ? .empty : " · " + context.strings(.questionOfferLess, SafeText(percent))
      return drawBeside("/ " + MoneyText.text(price) + less, strip, isProblem: false, on: &canvas)
    }
    let discount = field == .discount ? FieldText.discount(in: values, context.strings) : nil
    guard field == form.focus || discount != nil, let grouped = values.grouped(field) else {
      return
    }
    let amount = discount ?? FieldText.amount(of: field, in: values)
    if let read = amount ?? (grouped == editor.text ? nil : SafeText(grouped)) {
      drawBeside("= " + read, strip, isProblem: false, on: &canvas)
    }
  }

  private func drawArea(
    _ editor: TextEditor, of field: ProductField, in strip: CellRect, on canvas: inout Canvas
  ) {
    canvas.fill(strip, style: style(of: field))
    let area = strip.inset(left: 1)
    let text = editor.layout(columns: area.columns)
    let window = FormArea.window(of: text, height: area.rows, isFocused: field == form.focus)
    if editor.text.isEmpty { drawExample(of: field, in: area.inset(right: 1), on: &canvas) }
    for (offset, row) in window.enumerated() {
      let position = area.row(offset)
      canvas.write(text.text(ofRow: row), at: position.origin, style: style(of: field))
      guard let selection = editor.buffer.selection else { continue }
      let columns = text.columns(of: selection, inRow: row)
      let selected = CellRect(
        origin: position.origin.moved(columns: columns.lowerBound),
        size: CellSize(columns: columns.count, rows: 1))
      canvas.restyle(selected) { $0.adding(.reverse) }
    }
    let mark = context.theme.accent.on(style(of: field))
    let edge = CellPoint(column: strip.maxColumn - 1, row: strip.minRow)
    if window.lowerBound > 0 { canvas.put(.moreAbove, at: edge, style: mark) }
    if window.upperBound < text.rows.count {
      canvas.put(.moreBelow, at: edge.moved(rows: strip.rows - 1), style: mark)
    }
    drawCounter(of: field, in: strip, afterRows: window.count, on: &canvas)
    guard hasKeys, form.focus == field else { return }
    let caret = CellPoint(
      column: area.minColumn + text.caretColumn,
      row: area.minRow + text.caretRow - window.lowerBound)
    canvas.setCursor(at: caret, isVisible: true)
  }

  // MARK: Counters

  /// Draws the counter of a multi-line text under its label; a warning is in the row after the last
  /// line, else under the field.
  private func drawCounter(
    of field: ProductField, in strip: CellRect, afterRows rows: Int, on canvas: inout Canvas
  ) {
    guard let counter = FormCounter(of: field, in: form) else { return }
    let (theme, text) = (context.theme, counter.text(context.strings))
    let style = counter.isWarning ? theme.warning : theme.secondary
    let end = strip.maxColumn - 1 - text.columns
    let label = CellPoint(column: layout.bounds.minColumn + 1, row: strip.minRow + 1)
    if !counter.isWarning, strip.rows > 1 {
      canvas.write(counter.count.truncated(toColumns: layout.labels + 2), at: label, style: style)
    } else if rows < strip.rows, end > strip.minColumn {
      let position = CellPoint(column: end, row: strip.minRow + rows)
      canvas.write(text, at: position, style: style.on(self.style(of: field)))
    } else if layout.hasGap(below: strip), end > strip.minColumn {
      canvas.write(text, at: CellPoint(column: end, row: strip.maxRow), style: style)
    } else if strip.rows > 1 {
      canvas.write(counter.count.truncated(toColumns: layout.labels + 2), at: label, style: style)
    }
  }

  /// Draws the counter of a line that is nearly full.
  private func drawCounter(
    of field: ProductField, beside strip: CellRect, on canvas: inout Canvas
  ) {
    guard form.problems[field] == nil, let counter = FormCounter(of: field, in: form),
      counter.isWarning
    else { return }
    drawBeside(counter.text(context.strings), strip, isProblem: true, on: &canvas)
  }

  // MARK: Problems

  private func drawProblem(
    of field: ProductField, beside strip: CellRect, on canvas: inout Canvas
  ) {
    // The photos' problem is drawn in their strip.
    guard let problem = form.problems[field], field != .pictures else { return }
    let strings = context.strings
    let text =
      "✗ " + ProblemText.text(problem, of: field, inQuestion: form.purpose.fields != nil, strings)
    let short = ProblemText.short(problem, strings).map { "✗ " + $0 }
    guard !layout.isPaired(field) else {
      return drawWithin(strip, short ?? text, context.theme.warning, on: &canvas)
    }
    drawBeside(text, short: short, strip, isProblem: true, on: &canvas)
  }

  /// Draws a text at the end of a field, leaving some columns of the typed text.
  private func drawWithin(
    _ strip: CellRect, _ text: SafeText, _ style: Style, on canvas: inout Canvas
  ) {
    let shown = text.truncated(toColumns: max(0, strip.columns - Self.typedColumns))
    let position = CellPoint(column: strip.maxColumn - shown.columns, row: strip.maxRow - 1)
    canvas.write(shown, at: position, style: style)
  }

  /// Draws a text right of a field where there is room, else under it, without a gap there within it at
  /// its end; `short` replaces a text that would be cut.
  private func drawBeside(
    _ text: SafeText, short: SafeText? = nil, _ strip: CellRect, isProblem: Bool,
    on canvas: inout Canvas
  ) {
    let style = isProblem ? context.theme.warning : context.theme.secondary
    let right = layout.bounds.maxColumn - 1 - (strip.maxColumn + 2)
    func fitting(_ columns: Int) -> SafeText {
      (text.columns <= columns ? text : short ?? text).truncated(toColumns: max(0, columns))
    }
    if text.columns <= right || strip.columns < layout.bounds.columns / 2 {
      let position = CellPoint(column: strip.maxColumn + 2, row: strip.minRow)
      canvas.write(fitting(right), at: position, style: style)
      return
    }
    guard isProblem else { return }
    guard layout.hasGap(below: strip) else {
      return drawWithin(strip, fitting(strip.columns - Self.typedColumns), style, on: &canvas)
    }
    let position = CellPoint(column: strip.minColumn, row: strip.maxRow)
    let room = layout.bounds.maxColumn - 1 - position.column
    canvas.write(fitting(room), at: position, style: style)
  }
}

extension FormLayout {
  /// Lays out a form with labels in the context's language.
  init(_ bounds: CellRect, form: ProductForm, _ context: RenderContext) {
    if let asked = QuestionBox(form, in: bounds, context) {
      self.init(asked.fields, asking: form, labels: FormLabel.columns(in: form, context.strings))
      return
    }
    self.init(
      bounds, form: form, labels: FormLabel.columns(in: form, context.strings),
      showsPreview: !context.isPlain)
  }
}

/// Visible part of a long text in its field.
enum FormArea {
  /// Returns the rows around the caret; without the focus, those from the first one on.
  static func window(of text: TextLayout, height: Int, isFocused: Bool) -> Range<Int> {
    isFocused ? text.window(height: height) : 0..<min(text.rows.count, height)
  }
}

/// Label of a field, with a star where the field is required.
enum FormLabel {
  /// Minimum columns, so that fields have the same position in most forms.
  private static let minColumns = 10

  static func text(
    of field: ProductField, in form: ProductForm, _ strings: Strings
  ) -> SafeText {
    switch (form.purpose, field) {
    case (.answer, .reserved): .empty
    case (.answer, _): strings[.answerText]
    case (.question, .price): strings[.questionOffer]
    case (.question, .place): strings[ProductField.name.phrase]
    case (.question, _): strings[.questionText]
    case (.registration, _), (.edit, _):
      strings[field.phrase] + (isRequired(field, in: form) ? " *" : .empty)
    }
  }

  /// Returns an example for a field; nil where there is none.
  static func example(of field: ProductField, in form: ProductForm) -> Phrase? {
    form.purpose.asked == nil ? field.example : field == .place ? .questionGuest : nil
  }

  static func columns(in form: ProductForm, _ strings: Strings) -> Int {
    form.fields.reduce(minColumns) { widest, field in
      max(widest, text(of: field, in: form, strings).columns)
    }
  }

  /// Whether a field must be filled in; choices always have a value.
  private static func isRequired(_ field: ProductField, in form: ProductForm) -> Bool {
    if case .choice = form[field] { return false }
    return !field.isOptional
  }
}

extension Style {
  /// Returns this style on another style's background.
  fileprivate func on(_ other: Style) -> Style { on(other.background) }
}

extension Symbol {
  fileprivate static let moreAbove: Symbol = "▴"
}
