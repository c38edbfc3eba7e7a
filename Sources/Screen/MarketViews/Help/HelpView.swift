internal import EditorKit
internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
package import TerminalKit

extension HelpModel: ViewedLayer {
  package func view(in frame: Frame) -> HelpView { HelpView(model: self, frame: frame) }
}

/// The keys of the layer below, narrowed by what is typed; Enter runs the selected one.
package struct HelpView: LineView {
  package let model: HelpModel
  package let frame: Frame
  /// What works in the layer below.
  private let all: [HelpEntry]

  package static let bindings = BindingTable<HelpView>(
    [
      Binding("choose", [.enter], .keyChoose, footer: 10) { $0.choose() },
      SharedBindings.back([.escape], footer: 20),
    ]
      + SharedBindings.choosing(up: [.up, .control("p")], down: [.down, .control("n")]) {
        $0.move(by: $1)
      }
      + [
        Binding("page-up", [.pageUp], .keyPageUp) { $0.move(by: -$0.visibleRows) }
          .grouped(.move),
        Binding("page-down", [.pageDown], .keyPageDown) { $0.move(by: $0.visibleRows) }
          .grouped(.move),
        SharedBindings.quit(),
      ])
  package static var takesOwnKeys: Bool { false }

  init(model: HelpModel, frame: Frame) {
    self.model = model
    self.frame = frame
    all = frame.view(below: model).map(HelpEntry.all) ?? []
  }

  package func scroll(by notches: Int) -> Bool {
    move(by: notches)
    return true
  }

  private func move(by distance: Int) { model.move(by: distance, count: entries.count) }

  /// Runs the selected entry; where the filter leaves none, the help only goes.
  private func choose() { choose(model.selected) }

  private func choose(_ index: Int) {
    let entries = entries
    close()
    if entries.indices.contains(index) { entries[index].run() }
  }

  /// The entries that the filter leaves.
  private var entries: [HelpEntry] {
    let words = SearchTokenizer().wanted(by: model.filter.text)
    return words.isEmpty ? all : all.filter { $0.has(words) }
  }

  // MARK: Mouse

  /// A click on an entry runs it, one beside the page leaves that.
  package func press(at point: CellPoint) -> Bool {
    let entries = entries
    if let index = index(at: point, of: page(of: entries)) {
      choose(index)
    } else if !box.rect.contains(point) {
      close()
    }
    return true
  }

  private func index(at point: CellPoint, of page: KeyHelpPage) -> Int? {
    guard area.contains(point) else { return nil }
    let row = firstRow(of: page) + point.row - area.minRow
    let column = (point.column - area.minColumn) / columnWidth(of: page)
    guard page.columns.indices.contains(column), page.columns[column].indices.contains(row),
      case .entry(let index) = page.columns[column][row]
    else { return nil }
    return index
  }

  // MARK: Drawing

  private static let twoColumns = 116
  private static let columnWidth = 54
  /// Blank columns before the words, and between two columns.
  private static let gap = 2

  private func page(of entries: [HelpEntry]) -> KeyHelpPage {
    KeyHelpPage(groups: entries.map(\.group), columns: isWide ? 2 : 1)
  }

  private var isWide: Bool { frame.body.columns >= Self.twoColumns }

  /// As large as all entries need, so that it stays where it is while one types.
  private var box: Box {
    Box(
      title: context.strings[.help], columns: Self.columnWidth * (isWide ? 2 : 1) + 4,
      rows: page(of: all).height + 2, in: frame.body, context)
  }

  package var field: FieldLine {
    FieldLine(
      label: context.strings[.listFilter], editor: model.filter, rect: box.content.row(0),
      hint: .empty)
  }

  /// Where the entries stand, under the line that is typed and a blank one.
  private var area: CellRect { box.content.inset(top: 2) }

  /// How many rows can be seen at once.
  private var visibleRows: Int { max(1, area.rows) }

  private func columnWidth(of page: KeyHelpPage) -> Int {
    max(1, area.columns / max(1, page.columns.count))
  }

  /// The first row in sight, so that the selected one is among them.
  private func firstRow(of page: KeyHelpPage) -> Int {
    max(0, min(page.row(of: model.selected) - area.rows / 2, page.height - area.rows))
  }

  package func draw(on canvas: inout Canvas) {
    box.draw(on: &canvas)
    field.draw(on: &canvas, context)
    let (area, entries) = (area, entries)
    guard !entries.isEmpty else {
      canvas.write(context.strings[.helpEmpty], at: area.origin, style: context.theme.secondary)
      return
    }
    let page = page(of: entries)
    let (first, width) = (firstRow(of: page), columnWidth(of: page))
    for (column, lines) in page.columns.enumerated() {
      let rect = area.inset(left: column * width).splitLeft(width).left
      for (row, line) in lines.dropFirst(first).prefix(area.rows).enumerated() {
        draw(line, of: entries, in: rect.row(row).inset(right: Self.gap - 1), on: &canvas)
      }
    }
    guard first + area.rows < page.height else { return }
    canvas.put(
      .moreBelow, at: CellPoint(column: area.maxColumn, row: area.maxRow - 1),
      style: context.theme.accent)
  }

  private func draw(
    _ line: KeyHelpPage.Line, of entries: [HelpEntry], in rect: CellRect, on canvas: inout Canvas
  ) {
    switch line {
    case .blank: break
    case .heading(let group):
      canvas.write(
        context.strings[group.heading].truncated(toColumns: rect.columns - Self.gap),
        at: rect.origin.moved(columns: Self.gap), style: context.theme.secondary)
    case .entry(let index):
      draw(entries[index], isSelected: index == model.selected, in: rect, on: &canvas)
    }
  }

  private func draw(
    _ entry: HelpEntry, isSelected: Bool, in rect: CellRect, on canvas: inout Canvas
  ) {
    let theme = context.theme
    let look = { (style: Style) in isSelected ? theme.selected(style) : style }
    if isSelected {
      canvas.fill(rect, style: look(theme.text))
      canvas.put(theme.selectionBar, at: rect.origin, style: look(theme.accent))
      // What a reader follows is the command, not the word that looks for it.
      if context.showsCursor { canvas.setCursor(at: rect.origin, isVisible: true) }
    }
    let columns = min(keyColumns, rect.columns * 2 / 5)
    canvas.write(
      entry.keys.truncated(toColumns: columns), at: rect.origin.moved(columns: Self.gap),
      style: look(theme.accent))
    canvas.write(
      entry.words.truncated(toColumns: rect.columns - columns - 2 * Self.gap),
      at: rect.origin.moved(columns: columns + 2 * Self.gap), style: look(theme.text))
  }

  /// As wide as most keys: one row of many keys must not push all words away.
  private var keyColumns: Int {
    min(all.map(\.keys.columns).max() ?? 0, Self.widestKeys)
  }

  private static let widestKeys = 20
}
