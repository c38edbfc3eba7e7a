internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
package import TerminalKit

extension ConflictModel: ViewedLayer {
  package func view(in frame: Frame) -> ConflictView {
    ConflictView(model: self, frame: frame)
  }
}

/// Choice between two versions of a product, field by field.
package struct ConflictView: LayerView {
  package let model: ConflictModel
  package let frame: Frame

  private static let rowsPerField = 3
  private static let headRows = 2
  private static let columns = 72

  package static let bindings = BindingTable<ConflictView>(
    [
      Binding("other-version", [" ", .left, .right], .keyOtherVersion, footer: 20) {
        $0.model.toggle()
      },
      Binding("confirm", [.enter], .keyConfirm, footer: 10) { $0.model.resolve() },
    ]
      + SharedBindings.choosing(up: [.up, "k"], down: [.down, "j"]) { $0.model.move(by: $1) }
      + SharedBindings.ends { $0.model.move(by: $1) }
      + [SharedBindings.cancel(footer: 30) { $0.model.cancel() }])
  package static var opens: [any LayerView.Type] { [FormLayerView.self] }
  package static var takesOwnKeys: Bool { false }

  private var conflict: Conflict { model.conflict }

  package func draw(on canvas: inout Canvas) {
    box.draw(on: &canvas)
    let head = box.content
    canvas.write(
      context.strings[.conflictHint].truncated(toColumns: head.columns), at: head.origin,
      style: context.theme.secondary)
    for (index, rect) in shown {
      draw(conflict.rows[index], isSelected: index == conflict.selected, in: rect, on: &canvas)
    }
  }

  /// Chooses the clicked version.
  package func press(at point: CellPoint) -> Bool {
    guard let (row, isMine) = version(at: point) else { return false }
    model.move(by: row - conflict.selected)
    if conflict.rows[row].keepsMine != isMine { model.toggle() }
    return true
  }

  package func scroll(by notches: Int) -> Bool {
    model.move(by: notches)
    return true
  }

  /// Field at a point, and whether the user's own version is there; nil for none.
  private func version(at point: CellPoint) -> (row: Int, isMine: Bool)? {
    guard box.content.contains(point) else { return nil }
    return shown.lazy.compactMap { index, rect in
      (0..<2).first { rect.row($0).contains(point) }.map { (index, $0 == 0) }
    }.first
  }

  private var box: Box {
    let rows = conflict.rows.count * Self.rowsPerField + Self.headRows
    return Box(
      title: context.strings[.conflictTitle], columns: Self.columns, rows: rows, in: frame.body,
      context)
  }

  /// Fields that fit with their index, including the selected one.
  private var shown: [(index: Int, rect: CellRect)] {
    let list = box.content.inset(top: Self.headRows)
    let visible = max(1, list.rows / Self.rowsPerField)
    let first = max(0, min(conflict.selected - visible / 2, conflict.rows.count - visible))
    return conflict.rows.indices.dropFirst(first).prefix(visible).map { index in
      (index, list.inset(top: (index - first) * Self.rowsPerField))
    }
  }

  private func draw(
    _ row: Conflict.Row, isSelected: Bool, in rect: CellRect, on canvas: inout Canvas
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
      let position = rect.row(line).inset(left: 14)
      let mark: SafeText = isKept ? "● " : "○ "
      let text = mark + context.strings[phrase] + "  " + shown(row.field, values)
      canvas.write(text.truncated(toColumns: position.columns), at: position.origin, style: style)
    }
  }

  private func shown(_ field: ProductField, _ values: FormValues) -> SafeText {
    field == .pictures
      ? context.strings.counted(.photoCount, values.photos.count)
      : FieldText.text(of: field, in: values, context.strings)
  }
}
