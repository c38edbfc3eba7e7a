internal import EditorKit
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
package import TerminalKit

extension PaletteModel: ViewedLayer {
  package func view(in frame: Frame) -> PaletteView { PaletteView(model: self, frame: frame) }
}

/// Everything that the program can do, narrowed by what is typed; Enter does the selected one.
package struct PaletteView: LineView {
  package let model: PaletteModel
  package let frame: Frame

  package static let bindings = BindingTable<PaletteView>(
    [
      Binding("choose", [.enter], .keyChoose, footer: 10) { $0.choose($0.model.selected) },
      SharedBindings.back([.escape], footer: 20),
    ]
      + SharedBindings.choosing(up: [.up, .control("p")], down: [.down, .control("n")]) {
        $0.move(by: $1)
      }
      + [
        Binding("page-up", [.pageUp], .keyPageUp) { $0.move(by: -Self.visibleRows) }
          .grouped(.move),
        Binding("page-down", [.pageDown], .keyPageDown) { $0.move(by: Self.visibleRows) }
          .grouped(.move),
        SharedBindings.quit(),
      ])
  package static var takesOwnKeys: Bool { false }

  /// Lines of entries, whatever is typed, so that the box stays where it is.
  private static let visibleRows = 10
  private static let columns = 72
  /// Rows of the line that is typed and the blank one under it.
  private static let headRows = 2
  /// Blank columns at the left of the words, and between them and what stands at the right.
  private static let gap = 2

  /// The entries that fit what is typed.
  private var entries: [PaletteEntry] {
    PaletteEntry.fitting(
      model.line.text, among: PaletteEntries(in: frame, below: model).all,
      uses: navigator.program.paletteUsage)
  }

  package func scroll(by notches: Int) -> Bool {
    move(by: notches)
    return true
  }

  private func move(by distance: Int) { model.move(by: distance, count: entries.count) }

  /// Does an entry; one that cannot be done now stays, with its reason.
  private func choose(_ index: Int) {
    let entries = entries
    guard entries.indices.contains(index), entries[index].obstacle == nil else { return }
    close()
    navigator.program.paletteUsage.didChoose(entries[index].name)
    entries[index].run()
  }

  /// A click on an entry does it, one beside the box leaves.
  package func press(at point: CellPoint) -> Bool {
    if moveCaret(to: point) { return true }
    if area.contains(point) {
      choose(firstRow + point.row - area.minRow)
    } else if !box.rect.contains(point) {
      close()
    }
    return true
  }

  // MARK: Drawing

  /// In the middle of the upper two thirds, where these have room for it.
  private var box: Box {
    let rows = Self.headRows + Self.visibleRows
    let upper = frame.body.splitTop(max(rows + 2, frame.body.rows * 2 / 3)).top
    return Box(
      title: context.strings[.palette], columns: Self.columns, rows: rows, in: upper, context)
  }

  package var field: FieldLine {
    FieldLine(
      label: .empty, editor: model.line, rect: box.content.row(0),
      hint: context.strings[.paletteHint])
  }

  private var area: CellRect { box.content.inset(top: Self.headRows) }

  /// The first entry in sight, so that the selected one is among them.
  private var firstRow: Int { max(0, model.selected - max(1, area.rows) + 1) }

  package func draw(on canvas: inout Canvas) {
    box.draw(on: &canvas)
    field.draw(on: &canvas, context)
    let (area, entries, first) = (area, entries, firstRow)
    guard !entries.isEmpty else {
      let text = context.strings[.paletteEmpty].truncated(toColumns: area.columns)
      canvas.write(text, at: area.origin, style: context.theme.secondary)
      return
    }
    for (row, entry) in entries.dropFirst(first).prefix(area.rows).enumerated() {
      draw(entry, isSelected: first + row == model.selected, in: area.row(row), on: &canvas)
    }
    guard first + area.rows < entries.count else { return }
    canvas.put(
      .moreBelow, at: CellPoint(column: area.maxColumn, row: area.maxRow - 1),
      style: context.theme.accent)
  }

  /// The words at the left; at the right the key, and before it why it cannot be done now.
  private func draw(
    _ entry: PaletteEntry, isSelected: Bool, in rect: CellRect, on canvas: inout Canvas
  ) {
    let theme = context.theme
    let look = { (style: Style) in isSelected ? theme.selected(style) : style }
    if isSelected {
      canvas.fill(rect, style: look(theme.text))
      canvas.put(theme.selectionBar, at: rect.origin, style: look(theme.accent))
      if context.showsCursor { canvas.setCursor(at: rect.origin, isVisible: true) }
    }
    let words = rect.inset(left: Self.gap)
    let keyStart = rect.maxColumn - entry.keys.columns
    canvas.write(
      entry.keys, at: CellPoint(column: keyStart, row: rect.minRow),
      style: look(entry.obstacle == nil ? theme.accent : theme.secondary))
    var end = entry.keys.isEmpty ? rect.maxColumn : keyStart - Self.gap
    if let obstacle = entry.obstacle {
      let room = max(0, end - words.minColumn)
      let reason = obstacle.truncated(
        toColumns: max(room * 3 / 5, room - Self.gap - entry.words.columns))
      end -= reason.columns
      canvas.write(
        reason, at: CellPoint(column: end, row: rect.minRow), style: look(theme.secondary))
      end -= Self.gap
    }
    let style = entry.obstacle == nil ? (isSelected ? theme.strong : theme.text) : theme.secondary
    canvas.write(
      entry.words.truncated(toColumns: max(0, end - words.minColumn)), at: words.origin,
      style: look(style))
  }
}
