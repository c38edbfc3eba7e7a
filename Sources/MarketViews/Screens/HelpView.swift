internal import EditorKit
import MarketStrings
internal import MarketViewModels
internal import SafeText
internal import TerminalKit

/// The keys of what had the focus, narrowed by what is typed; Enter runs the selected one.
struct HelpView {
  let help: HelpModel
  /// What the help is about.
  let focus: Focus
  let bounds: CellRect
  let context: RenderContext

  /// The bindings that the filter leaves.
  var rows: [KeyMap.Binding] {
    let filter = help.filter.text.lowercased()
    let all = KeyMap.bindings(for: focus, context.keys)
    guard !filter.isEmpty else { return all }
    return all.filter { binding in
      context.strings[binding.command.phrase(in: focus)].string.lowercased().contains(filter)
        || keys(of: binding).string.lowercased().contains(filter)
    }
  }

  private var box: Box {
    Box(
      title: context.strings[.help], rows: KeyMap.bindings(for: focus, context.keys).count + 2,
      in: bounds,
      context)
  }

  /// How many rows can be seen at once.
  var visibleRows: Int { max(1, box.content.rows - 2) }

  func draw(on canvas: inout Canvas) {
    let box = box
    box.draw(on: &canvas)
    let (field, list) = box.content.splitTop(1)
    FieldLine(label: context.strings[.helpFilter], editor: help.filter, rect: field, hint: .empty)
      .draw(on: &canvas, context)
    let area = list.inset(top: 1)
    guard !rows.isEmpty else {
      canvas.write(context.strings[.helpEmpty], at: area.origin, style: context.theme.secondary)
      return
    }
    let first = max(0, min(help.selected - area.rows / 2, rows.count - area.rows))
    let keyColumns =
      KeyMap.bindings(for: focus, context.keys).map { keys(of: $0).columns }.max() ?? 0
    for (row, binding) in rows.dropFirst(first).prefix(area.rows).enumerated() {
      draw(
        binding, keyColumns: keyColumns, isSelected: first + row == help.selected,
        in: area.row(row), on: &canvas)
    }
    guard first + area.rows < rows.count else { return }
    canvas.put(
      .moreBelow, at: CellPoint(column: area.maxColumn, row: area.maxRow - 1),
      style: context.theme.accent)
  }

  private func draw(
    _ binding: KeyMap.Binding, keyColumns: Int, isSelected: Bool, in rect: CellRect,
    on canvas: inout Canvas
  ) {
    let theme = context.theme
    let look = { (style: Style) in isSelected ? theme.selected(style) : style }
    if isSelected {
      canvas.fill(rect, style: look(theme.text))
      canvas.put(.selectionBar, at: rect.origin, style: look(theme.accent))
    }
    let columns = min(keyColumns, rect.columns / 2)
    canvas.write(
      keys(of: binding).truncated(toColumns: columns), at: rect.origin.moved(columns: 2),
      style: look(theme.accent))
    let phrase = context.strings[binding.command.phrase(in: focus)]
    canvas.write(
      phrase.truncated(toColumns: rect.columns - columns - 3),
      at: rect.origin.moved(columns: columns + 3), style: look(theme.text))
  }

  private func keys(of binding: KeyMap.Binding) -> SafeText {
    binding.keys.map(KeyName.text).joined(separator: "  ")
  }
}
