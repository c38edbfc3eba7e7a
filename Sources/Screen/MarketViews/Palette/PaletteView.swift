internal import EditorKit
import MarketStrings
package import MarketViewModels
package import SafeTextKit
package import TerminalKit

extension PaletteModel: ViewedLayer {
  package func view(in frame: Frame) -> PaletteView { PaletteView(model: self, frame: frame) }
}

/// Command palette: all commands, filtered by typed text; Enter runs the selected one.
package struct PaletteView: LineView, BoxedListView {
  package let model: PaletteModel
  package let frame: Frame

  package static let bindings = BindingTable<PaletteView>(
    [
      Binding("choose", [.enter], .keyChoose, footer: 10) { $0.choose() },
      SharedBindings.back([.escape], footer: 20),
    ] + SharedBindings.typedList() + [SharedBindings.quit()])

  /// Minimum rows of entries, independent of the filter, so that the box keeps its position.
  private static let visibleRows = 10
  private static let columns = 72
  /// Blank columns left of the text, and between it and the right part.
  private static let gap = 2

  private var entries: [PaletteEntry] { PaletteEntries(in: frame, below: model).all }

  package func fillList() {
    let found = PaletteEntry.fitting(
      list.words, among: entries, uses: navigator.program.paletteUsage)
    list.show([ListSection(found.map(\.line))])
  }

  /// Runs an entry; for an unavailable one, shows the reason and stays open.
  package func choose(_ line: PaletteModel.Line) {
    if let obstacle = line.obstacle { return navigator.announce(.words(obstacle)) }
    guard let entry = entries.first(where: { $0.line.id == line.id }) else { return }
    close()
    navigator.program.paletteUsage.didChoose(line.id)
    entry.run()
  }

  // MARK: Drawing

  /// Box over the upper two thirds of the body.
  package var box: Box {
    let (head, body) = (Self.headRows + 2, frame.body)
    let upper = body.splitTop(max(head + Self.visibleRows, body.rows * 2 / 3)).top
    return Box(
      title: context.strings[.palette], columns: Self.columns, rows: upper.rows - 2, in: upper,
      context)
  }

  package var field: FieldLine {
    FieldLine(
      label: .empty, editor: list.filter, rect: box.content.row(0),
      hint: context.strings[.paletteHint])
  }

  package func words(of line: PaletteModel.Line) -> [SafeText] { [line.words] }

  /// Draws the text at the left; at the right the key, and before it the reason why it is unavailable.
  package func draw(_ line: PaletteModel.Line, in row: ListRow, on canvas: inout Canvas) {
    let (rect, theme) = (row.rect, context.theme)
    if row.isSelected { canvas.markSelected(rect, theme) }
    let words = rect.inset(left: Self.gap)
    let keyStart = rect.maxColumn - line.keys.columns
    canvas.write(
      line.keys, at: CellPoint(column: keyStart, row: rect.minRow),
      style: row.rowStyle(line.obstacle == nil ? theme.accent : theme.secondary))
    var end = line.keys.isEmpty ? rect.maxColumn : keyStart - Self.gap
    if let obstacle = line.obstacle {
      let room = max(0, end - words.minColumn)
      let reason = obstacle.truncated(
        toColumns: max(room * 3 / 5, room - Self.gap - line.words.columns))
      end -= reason.columns
      canvas.write(
        reason, at: CellPoint(column: end, row: rect.minRow), style: row.rowStyle(theme.secondary))
      end -= Self.gap
    }
    canvas.write(
      line.words.truncated(toColumns: max(0, end - words.minColumn)), at: words.origin,
      style: line.obstacle == nil ? row.nameStyle : row.rowStyle(theme.secondary))
  }
}
