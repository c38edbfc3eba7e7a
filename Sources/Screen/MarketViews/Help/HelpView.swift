internal import EditorKit
import MarketStrings
package import MarketViewModels
package import SafeTextKit
package import TerminalKit

extension HelpModel: ViewedLayer {
  package func view(in frame: Frame) -> HelpView { HelpView(model: self, frame: frame) }
}

/// List of the keys of the layer below, filtered by typed text; Enter runs the selected command.
package struct HelpView: LineView, BoxedListView {
  package let model: HelpModel
  package let frame: Frame
  /// Entries of the layer below.
  private let all: [HelpEntry]
  package let sections: [ListSection<SafeText, HelpModel.Line>]

  package static let bindings = BindingTable<HelpView>(
    [
      Binding("choose", [.enter], .keyChoose, footer: 10) { $0.choose() },
      SharedBindings.back([.escape], footer: 20),
    ] + SharedBindings.typedList() + [SharedBindings.quit()])

  init(model: HelpModel, frame: Frame) {
    self.model = model
    self.frame = frame
    let all = frame.view(below: model).map(HelpEntry.all) ?? []
    self.all = all
    sections = BindingGroup.allCases.map { group in
      ListSection(
        frame.context.strings[group.heading],
        all.indices.filter { all[$0].group == group }.map {
          HelpModel.Line(id: $0, keys: all[$0].keys, words: all[$0].words)
        })
    }
  }

  package func choose(_ line: HelpModel.Line) {
    close()
    all[line.id].run()
  }

  // MARK: Drawing

  private static let twoColumns = 116
  private static let columnWidth = 54
  /// Blank columns before the texts, and between two columns.
  private static let gap = 2
  /// Maximum columns of the keys; longer ones are cut, so that one row does not displace all texts.
  private static let widestKeys = 20

  package var listColumns: Int { frame.body.columns >= Self.twoColumns ? 2 : 1 }

  /// Box with room for all entries, so that it keeps its size while the user types.
  package var box: Box {
    Box(
      title: title, columns: Self.columnWidth * listColumns + 4, rows: Self.headRows + pageRows,
      in: frame.body, context)
  }

  /// Title with the name of the screen below.
  private var title: SafeText {
    let strings = context.strings
    return (frame.view(below: model).flatMap { type(of: $0).screenName })
      .map { strings(.helpTitle, strings[$0]) } ?? strings[.help]
  }

  /// Rows of a column; with two columns, the first does not end with a heading, nor the second begin
  /// with a gap.
  private var pageRows: Int {
    let page = sections.filter { !$0.items.isEmpty }.enumerated().flatMap { index, section in
      (index == 0 ? [] : [Part.gap]) + [.heading] + section.items.map { _ in .line }
    }
    guard listColumns > 1 else { return page.count }
    return (0..<page.count).first { rows in
      rows * 2 >= page.count && rows > 0 && page[rows - 1] != .heading && page[rows] != .gap
    } ?? page.count
  }

  private enum Part { case gap, heading, line }

  package var field: FieldLine {
    FieldLine(
      label: context.strings[.listFilter], editor: list.filter, rect: box.content.row(0),
      hint: .empty)
  }

  package func text(of heading: SafeText) -> SafeText { heading }
  package func words(of line: HelpModel.Line) -> [SafeText] { [line.words, line.keys] }

  package func draw(_ line: HelpModel.Line, in row: ListRow, on canvas: inout Canvas) {
    let rect = row.rect.inset(right: Self.gap - 1)
    if row.isSelected { canvas.markSelected(rect, context.theme) }
    let widest = min(all.map(\.keys.columns).max() ?? 0, Self.widestKeys)
    let columns = min(widest, rect.columns * 2 / 5)
    canvas.write(
      line.keys.truncated(toColumns: columns), at: rect.origin.moved(columns: Self.gap),
      style: row.rowStyle(context.theme.accent))
    canvas.write(
      line.words.truncated(toColumns: rect.columns - columns - 2 * Self.gap),
      at: rect.origin.moved(columns: columns + 2 * Self.gap), style: row.nameStyle)
  }
}
