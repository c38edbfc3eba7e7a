internal import EditorKit
internal import MarketModel
import MarketStrings
package import MarketViewModels
package import SafeTextKit
package import TerminalKit

/// View of a list: keys, wheel and clicks select its items, and typed words narrow it.
@MainActor package protocol SectionedListView: LayerView where Model: ListModel {
  /// Where the rows stand, with the line over them that narrows the list.
  var listArea: CellRect { get }
  /// Columns in which rows stand side by side, read from top to bottom.
  var listColumns: Int { get }
  /// Where the mark stands that more follows below.
  var moreMark: CellPoint { get }
  /// Whether the line that narrows the list is always there, in a place of the view's own.
  var hasOwnLine: Bool { get }
  /// What stands in the place of rows where there are none.
  var emptyText: SafeText { get }

  /// All that the list shows unless it is narrowed.
  var sections: [ListSection<Model.Heading, Model.Item>] { get }
  /// The words of a heading.
  func text(of heading: Model.Heading) -> SafeText
  /// What stands behind a heading; nil for nothing.
  func remark(of heading: Model.Heading) -> ListFact?
  /// What an item is found by where the list is narrowed.
  func words(of item: Model.Item) -> [SafeText]
  func draw(_ item: Model.Item, in row: ListRow, on canvas: inout Canvas)
  /// Does what an item of the list is for.
  func choose(_ item: Model.Item)
  /// Gives the list what is narrowed; before a frame and before an input.
  func fillList()
}

/// Sentence about an item or a heading of a list.
package struct ListFact {
  let text: SafeText
  let style: Style
  /// Columns that its lines stand in.
  var indent = 0
}

/// Place of an item in a list on the screen.
package struct ListRow {
  var rect: CellRect
  /// Counted from 0 among the items.
  let number: Int
  let isSelected: Bool
  let context: RenderContext

  /// A style on the ground of the row.
  func look(_ style: Style) -> Style { isSelected ? context.theme.selected(style) : style }

  /// The style of an item's name.
  var nameStyle: Style { look(isSelected ? context.theme.strong : context.theme.text) }
}

extension SectionedListView where Model.Heading == Never {
  package func text(of heading: Never) -> SafeText {}
}

extension SectionedListView {
  package var list: SectionedList<Model.Heading, Model.Item> { model.list }
  package var sections: [ListSection<Model.Heading, Model.Item>] { model.sections }
  package var listColumns: Int { 1 }
  package var hasOwnLine: Bool { false }
  package func remark(of heading: Model.Heading) -> ListFact? { nil }
  package var moreMark: CellPoint {
    CellPoint(column: rowsArea.maxColumn - 1, row: rowsArea.maxRow - 1)
  }

  package func prepare() { fillList() }

  package func layOut() {
    fillList()
    list.didLayOut(rows: max(1, rowsArea.rows * listColumns))
  }

  package func fillList() {
    // What is still to be read is not shown as empty.
    guard list.isRead || !model.holdsKeys else { return }
    let wanted = SearchTokenizer().wanted(by: list.words)
    guard !wanted.isEmpty else { return list.show(sections) }
    list.show(
      sections.map { section in
        ListSection(
          section.heading,
          section.items.filter { item in
            SearchedTexts(words(of: item).map(\.string), SearchTokenizer()).have(words: wanted)
          })
      })
  }

  var hasItems: Bool { !list.isEmpty }
  var isNarrowed: Bool { !list.words.isEmpty }

  // MARK: Selecting

  package var selectedPlace: CellRect? {
    let (area, row) = (rowsArea, list.viewport.selected - list.viewport.topRow)
    guard hasItems, (0..<area.rows * listColumns).contains(row) else { return nil }
    return place(of: row, in: area)
  }

  package func select(at point: CellPoint) -> Bool {
    guard let number = number(at: point) else { return false }
    model.select(number: number)
    return true
  }

  func move(_ move: Viewport.Move, times: Int = 1) { model.move(move, times: times) }

  /// Chooses the selected item, or the one of a number; nothing where there is none.
  func choose(number: Int? = nil) {
    fillList()
    if let number {
      guard (0..<list.count).contains(number) else { return }
      model.select(number: number)
    }
    guard let item = list.selected else { return }
    if let line = navigator.stack.top as? NarrowingModel { navigator.stack.close(line) }
    choose(item)
  }

  /// The number of the item at a point; nil beside the items.
  func number(at point: CellPoint) -> Int? {
    let area = rowsArea
    guard area.contains(point), case .item(_, let number)? = list.row(at: row(at: point, in: area))
    else { return nil }
    return number
  }

  private func row(at point: CellPoint, in area: CellRect) -> Int {
    let column = (point.column - area.minColumn) / max(1, area.columns / listColumns)
    return list.viewport.topRow + min(column, listColumns - 1) * area.rows + point.row
      - area.minRow
  }

  // MARK: Narrowing

  /// Whether words are being typed that narrow the list.
  private var isTyping: Bool {
    navigator.stack.top is NarrowingModel && navigator.stack.below(navigator.stack.top) === model
  }

  private var hasLine: Bool { !hasOwnLine && (isTyping || isNarrowed) }

  /// The area without the line that narrows the list.
  var rowsArea: CellRect { listArea.inset(top: hasLine ? 1 : 0) }

  /// Rows that all items and the line take, whether the list is narrowed or not.
  var allRows: Int { max(1, list.rowCount(of: sections)) + (hasLine ? 1 : 0) }

  /// The line that narrows the list.
  package var narrowingField: FieldLine {
    FieldLine(
      label: context.strings[.listFilter], editor: list.filter,
      rect: listArea.row(0).inset(left: 1, right: 1), hint: .empty)
  }

  // MARK: Drawing

  func drawList(on canvas: inout Canvas) {
    if hasLine { narrowingField.draw(on: &canvas, context) }
    let area = rowsArea
    guard hasItems else { return drawEmptyText(in: area, on: &canvas) }
    for offset in 0..<area.rows * listColumns {
      let place = place(of: offset, in: area)
      let row = list.viewport.topRow + offset
      switch list.row(at: row) {
      case .heading(let heading): draw(heading, in: place, on: &canvas)
      case .item(let item, let number):
        let row = ListRow(
          rect: place, number: number, isSelected: row == list.viewport.selected,
          context: context)
        draw(item, in: row, on: &canvas)
      case .blank:
        // A heading divides by itself.
        if case .item? = list.row(at: row + 1) { drawGap(in: place, on: &canvas) }
      case nil: break
      }
    }
    guard list.viewport.topRow + area.rows * listColumns < list.rowCount, !context.isPlain else {
      return
    }
    canvas.put(.moreBelow, at: moreMark, style: context.theme.accent)
  }

  private func draw(_ heading: Model.Heading, in rect: CellRect, on canvas: inout Canvas) {
    let text = text(of: heading).truncated(toColumns: max(0, rect.columns - 2))
    canvas.write(text, at: rect.origin.moved(columns: 1), style: context.theme.accent)
    guard let remark = remark(of: heading) else { return }
    let start = 1 + text.columns + 2
    canvas.write(
      remark.text.truncated(toColumns: max(0, rect.columns - start - 1)),
      at: rect.origin.moved(columns: start), style: remark.style)
  }

  /// Where a row stands, counted from the first one in sight.
  private func place(of row: Int, in area: CellRect) -> CellRect {
    let columns = max(1, area.columns / listColumns)
    return area.inset(left: row / area.rows * columns).splitLeft(columns).left
      .row(row % area.rows)
  }

  private func drawGap(in rect: CellRect, on canvas: inout Canvas) {
    guard !context.isPlain else { return }
    canvas.horizontalRule(at: rect.origin, columns: rect.columns, style: context.theme.rule)
  }

  private func drawEmptyText(in area: CellRect, on canvas: inout Canvas) {
    let strings = context.strings
    let text =
      !list.isRead
      ? strings[.loading] : isNarrowed ? strings(.listNoMatch, SafeText(list.words)) : emptyText
    for (row, line) in text.wrapped(toColumns: max(1, area.columns - 2)).enumerated()
    where row < area.rows {
      canvas.write(
        line, at: area.row(row).origin.moved(columns: 1), style: context.theme.secondary)
    }
  }
}
