internal import EditorKit
import MarketStrings
package import MarketViewModels
internal import SafeText
package import TerminalKit

extension HelpModel: ViewedLayer {
  package func view(in frame: Frame) -> HelpView { HelpView(model: self, frame: frame) }
}

/// The keys of the layer below, narrowed by what is typed; Enter runs the selected one.
package struct HelpView: LayerView {
  package let model: HelpModel
  package let frame: Frame
  /// The rows of the layer below.
  private let all: [KeyRow]

  package static let bindings = BindingTable<HelpView>(
    [
      Binding("choose", [.enter], .keyChoose, footer: 10) { $0.choose() },
      SharedBindings.back([.escape], footer: 20),
    ]
      + SharedBindings.choosing(up: [.up, .control("p")], down: [.down, .control("n")]) {
        $0.move(by: $1)
      }
      + [
        Binding("page-up", [.pageUp], .keyPageUp) { $0.move(by: -$0.visibleRows) },
        Binding("page-down", [.pageDown], .keyPageDown) { $0.move(by: $0.visibleRows) },
        SharedBindings.quit(),
      ])
  package static var takesOwnKeys: Bool { false }

  init(model: HelpModel, frame: Frame) {
    self.model = model
    self.frame = frame
    all = frame.view(below: model)?.rows ?? []
  }

  package var isText: Bool { true }

  package func edit(_ key: KeyPress) -> Bool {
    guard let change = LineKeys.change(for: key) else { return false }
    model.edit { change.apply(to: &$0) }
    return true
  }

  package func paste(_ text: String) -> Bool {
    model.edit { $0.paste(text) }
    return true
  }

  package func scroll(by notches: Int) -> Bool {
    move(by: notches)
    return true
  }

  private func move(by distance: Int) { model.move(by: distance, count: rows.count) }

  /// Runs the selected row; where the filter leaves none, the help only goes.
  private func choose() {
    let rows = rows
    close()
    if rows.indices.contains(model.selected) { rows[model.selected].run() }
  }

  /// The rows that the filter leaves.
  private var rows: [KeyRow] {
    let filter = model.filter.text.lowercased()
    guard !filter.isEmpty else { return all }
    return all.filter { row in
      context.strings[row.words].string.lowercased().contains(filter)
        || keys(of: row).string.lowercased().contains(filter)
    }
  }

  private var box: Box {
    Box(title: context.strings[.help], rows: all.count + 2, in: frame.body, context)
  }

  /// How many rows can be seen at once.
  private var visibleRows: Int { max(1, box.content.rows - 2) }

  package func draw(on canvas: inout Canvas) {
    let box = box
    box.draw(on: &canvas)
    let (field, list) = box.content.splitTop(1)
    FieldLine(label: context.strings[.helpFilter], editor: model.filter, rect: field, hint: .empty)
      .draw(on: &canvas, context)
    let area = list.inset(top: 1)
    guard !rows.isEmpty else {
      canvas.write(context.strings[.helpEmpty], at: area.origin, style: context.theme.secondary)
      return
    }
    let first = max(0, min(model.selected - area.rows / 2, rows.count - area.rows))
    let keyColumns = all.map { keys(of: $0).columns }.max() ?? 0
    for (index, row) in rows.dropFirst(first).prefix(area.rows).enumerated() {
      draw(
        row, keyColumns: keyColumns, isSelected: first + index == model.selected,
        in: area.row(index), on: &canvas)
    }
    guard first + area.rows < rows.count else { return }
    canvas.put(
      .moreBelow, at: CellPoint(column: area.maxColumn, row: area.maxRow - 1),
      style: context.theme.accent)
  }

  private func draw(
    _ row: KeyRow, keyColumns: Int, isSelected: Bool, in rect: CellRect,
    on canvas: inout Canvas
  ) {
    let theme = context.theme
    let look = { (style: Style) in isSelected ? theme.selected(style) : style }
    if isSelected {
      canvas.fill(rect, style: look(theme.text))
      canvas.put(theme.selectionBar, at: rect.origin, style: look(theme.accent))
      // What a reader follows is the command, not the word that looks for it.
      if context.showsCursor { canvas.setCursor(at: rect.origin, isVisible: true) }
    }
    let columns = min(keyColumns, rect.columns / 2)
    canvas.write(
      keys(of: row).truncated(toColumns: columns), at: rect.origin.moved(columns: 2),
      style: look(theme.accent))
    let phrase = context.strings[row.words]
    canvas.write(
      phrase.truncated(toColumns: rect.columns - columns - 3),
      at: rect.origin.moved(columns: columns + 3), style: look(theme.text))
  }

  private func keys(of row: KeyRow) -> SafeText {
    row.keys.map(context.name).joined(separator: "  ")
  }
}

extension Phrase {
  static var helpFilter: Phrase { .named() }
  static var helpEmpty: Phrase { .named() }
}
