internal import MarketModel
internal import MarketViewModels
internal import SafeText
internal import TerminalKit

/// Both versions of a product, field by field, with the chosen one marked.
struct ConflictView {
  let conflict: ConflictModel
  let bounds: CellRect
  let context: RenderContext

  private static let rowsPerField = 3

  func draw(on canvas: inout Canvas) {
    let strings = context.strings
    let rows = conflict.rows.count * Self.rowsPerField + 2
    let box = Box(title: strings[.conflictTitle], columns: 72, rows: rows, in: bounds, context)
    box.draw(on: &canvas)
    let (head, list) = box.content.splitTop(2)
    canvas.write(
      strings[.conflictHint].truncated(toColumns: head.columns), at: head.origin,
      style: context.theme.secondary)
    let visible = max(1, list.rows / Self.rowsPerField)
    let first = max(0, min(conflict.selected - visible / 2, conflict.rows.count - visible))
    for (index, row) in conflict.rows.enumerated().dropFirst(first).prefix(visible) {
      let rect = list.inset(top: (index - first) * Self.rowsPerField)
      draw(row, isSelected: index == conflict.selected, in: rect, on: &canvas)
    }
  }

  private func draw(
    _ row: ConflictModel.Row, isSelected: Bool, in rect: CellRect, on canvas: inout Canvas
  ) {
    let theme = context.theme
    let label = context.strings[row.field.phrase]
    canvas.write(label, at: rect.origin.moved(columns: 2), style: theme.secondary)
    if isSelected {
      canvas.put(.focused, at: rect.origin, style: theme.accent)
      canvas.setCursor(at: rect.origin, isVisible: false)
    }
    let versions = [
      (true, Phrase.conflictMine, conflict.mine.values),
      (false, Phrase.conflictTheirs, conflict.theirValues),
    ]
    for (line, (isMine, phrase, values)) in versions.enumerated() {
      let isKept = isMine == row.keepsMine
      let style = isKept ? theme.selected(theme.strong) : theme.secondary
      let place = rect.row(line).inset(left: 14)
      let mark: SafeText = isKept ? "● " : "○ "
      let text = mark + context.strings[phrase] + "  " + shown(row.field, values)
      canvas.write(text.truncated(toColumns: place.columns), at: place.origin, style: style)
    }
  }

  private func shown(_ field: ProductField, _ values: FormValues) -> SafeText {
    switch field {
    case .pictures: context.strings.counted(.photoCount, values.photos.count)
    case .name: SafeText(values.name)
    case .price: SafeText(values.price)
    case .currency: SafeText(values.currency.rawValue)
    case .discount: SafeText(values.discount.isEmpty ? "0" : values.discount)
    case .stock: SafeText(values.stock)
    case .description: SafeText(values.description)
    case .password: .empty
    }
  }
}
