internal import EditorKit
internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeText
internal import TerminalKit

/// The form in which a product is registered or edited.
struct FormView {
  let form: ProductForm
  let layout: FormLayout
  let context: RenderContext
  /// Whether the form itself has the keys, and not something over it.
  let hasKeys: Bool

  init(_ form: ProductForm, bounds: CellRect, hasKeys: Bool, context: RenderContext) {
    self.form = form
    self.hasKeys = hasKeys
    self.context = context
    layout = FormLayout(bounds, form: form)
  }

  func draw(on canvas: inout Canvas, gallery: PictureGallery) {
    PhotoStrip(form: form, layout: layout, context: context, hasKeys: hasKeys)
      .draw(on: &canvas, gallery: gallery)
    for field in form.fields {
      guard let strip = layout.strip(of: field, focus: form.focus) else { continue }
      drawLabel(of: field, beside: strip, on: &canvas)
      drawContent(of: field, in: strip, on: &canvas)
      drawProblem(of: field, beside: strip, on: &canvas)
    }
  }

  // MARK: Labels

  private func drawLabel(of field: ProductField, beside strip: CellRect, on canvas: inout Canvas) {
    let isFocused = field == form.focus
    let theme = context.theme
    let start = CellPoint(
      column: layout.bounds.minColumn + 2, row: layout.labelRow(of: field, in: strip))
    let star: SafeText = isRequired(field) ? " *" : .empty
    canvas.write(
      context.strings[field.phrase] + star, at: start,
      style: isFocused ? theme.accent : theme.secondary)
    if isFocused {
      canvas.put(.focused, at: start.moved(columns: 10), style: theme.accent)
    }
    guard case .area(let editor) = form[field], strip.rows > 1 else { return }
    let limit = FormRules[field].length.upperBound
    let count = SafeText("\(editor.buffer.characters.count)/\(limit)")
    canvas.write(count, at: start.moved(rows: 1), style: theme.secondary)
  }

  /// Whether one has to fill a field in; a choice is made already.
  private func isRequired(_ field: ProductField) -> Bool {
    if case .choice = form[field] { return false }
    return !FieldDescription[field].isOptional
  }

  // MARK: Contents

  private func drawContent(of field: ProductField, in strip: CellRect, on canvas: inout Canvas) {
    switch form[field] {
    case .photos: break
    case .line(let editor): drawLine(in: strip, field, on: &canvas, editor.visible)
    case .number(let editor): drawLine(in: strip, field, on: &canvas, editor.visible)
    case .choice(let choice):
      let text = FieldText.choice(choice, of: field, context.strings) + " ▾"
      drawLine(in: strip, field, on: &canvas, hidesCursor: true) { columns in
        (text.truncated(toColumns: columns), 0)
      }
    case .secret(let editor):
      let masked = editor.masked
      drawLine(in: strip, field, on: &canvas) { columns in
        let shown = masked.dropping(columns: max(0, masked.columns - columns + 1))
        return (shown, shown.columns)
      }
      let hint = context.strings[.formPasswordHint]
      if form.problems[field] == nil { drawBeside(hint, strip, isProblem: false, on: &canvas) }
    case .area(let editor): drawArea(editor, of: field, in: strip, on: &canvas)
    }
  }

  private func style(of field: ProductField) -> Style {
    field == form.focus ? context.theme.field : context.theme.restingField
  }

  private func drawLine(
    in strip: CellRect, _ field: ProductField, on canvas: inout Canvas, hidesCursor: Bool = false,
    _ content: (_ columns: Int) -> (text: SafeText, caretColumn: Int)
  ) {
    canvas.fill(strip, style: style(of: field))
    let room = strip.inset(left: 1, right: 1)
    let (text, caret) = content(room.columns)
    canvas.write(text, at: room.origin, style: style(of: field))
    guard hasKeys, field == form.focus else { return }
    canvas.setCursor(at: room.origin.moved(columns: caret), isVisible: !hidesCursor)
  }

  private func drawArea(
    _ editor: TextEditor, of field: ProductField, in strip: CellRect, on canvas: inout Canvas
  ) {
    canvas.fill(strip, style: style(of: field))
    let area = strip.inset(left: 1)
    let text = editor.layout(columns: area.columns)
    let window = text.window(height: area.rows)
    for (offset, row) in window.enumerated() {
      let place = area.row(offset)
      canvas.write(text.text(ofRow: row), at: place.origin, style: style(of: field))
      guard let selection = editor.buffer.selection else { continue }
      let columns = text.columns(of: selection, inRow: row)
      let selected = CellRect(
        origin: place.origin.moved(columns: columns.lowerBound),
        size: CellSize(columns: columns.count, rows: 1))
      canvas.restyle(selected) { $0.adding(.reverse) }
    }
    if window.upperBound < text.rows.count {
      let corner = CellPoint(column: strip.maxColumn - 1, row: strip.maxRow - 1)
      canvas.put(.moreBelow, at: corner, style: context.theme.accent.on(style(of: field)))
    }
    guard hasKeys, form.focus == field else { return }
    let caret = CellPoint(
      column: area.minColumn + text.caretColumn,
      row: area.minRow + text.caretRow - window.lowerBound)
    canvas.setCursor(at: caret, isVisible: true)
  }

  // MARK: Problems

  private func drawProblem(
    of field: ProductField, beside strip: CellRect, on canvas: inout Canvas
  ) {
    // That of the photos stands in their strip.
    guard let problem = form.problems[field], field != .pictures else { return }
    let text = "✗ " + ProblemText.text(problem, of: field, context.strings)
    drawBeside(text, strip, isProblem: true, on: &canvas)
  }

  /// Right of a field where there is room, else under it; in a short window within it, at its end.
  private func drawBeside(
    _ text: SafeText, _ strip: CellRect, isProblem: Bool, on canvas: inout Canvas
  ) {
    let style = isProblem ? context.theme.warning : context.theme.secondary
    let right = layout.bounds.maxColumn - 1 - (strip.maxColumn + 2)
    if text.columns <= right || strip.columns < layout.bounds.columns / 2 {
      let place = CellPoint(column: strip.maxColumn + 2, row: strip.minRow)
      canvas.write(text.truncated(toColumns: max(0, right)), at: place, style: style)
      return
    }
    guard isProblem else { return }
    guard layout.isRoomy else {
      let shown = text.truncated(toColumns: strip.columns / 2)
      let place = CellPoint(column: strip.maxColumn - shown.columns, row: strip.maxRow - 1)
      canvas.write(shown, at: place, style: style)
      return
    }
    let place = CellPoint(column: strip.minColumn, row: strip.maxRow)
    let room = layout.bounds.maxColumn - 1 - place.column
    canvas.write(text.truncated(toColumns: max(0, room)), at: place, style: style)
  }
}

extension Style {
  /// The same on the ground of another style.
  fileprivate func on(_ other: Style) -> Style { on(other.background) }
}

extension Phrase {
  static var formPasswordHint: Phrase { .named() }
}
