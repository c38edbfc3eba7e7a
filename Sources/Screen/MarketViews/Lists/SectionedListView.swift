internal import EditorKit
internal import MarketModel
import MarketStrings
package import MarketViewModels
package import SafeTextKit
package import TerminalKit

/// View of a list: keys, wheel and clicks select its items, typed words filter them.
@MainActor package protocol SectionedListView: LayerView where Model: ListModel {
  /// Area of the rows, with the filter line above them.
  var listArea: CellRect { get }
  /// Number of columns in which rows are arranged, read top to bottom.
  var listColumns: Int { get }
  /// Position of the mark for further rows below.
  var moreMark: CellPoint { get }
  /// Whether the view has its own filter line, which is always visible.
  var hasOwnLine: Bool { get }
  /// Text of an empty list: what there is none of, and what to do next.
  var emptyText: SafeText { get }

  /// All items of the list before filtering.
  var sections: [ListSection<Model.Heading, Model.Item>] { get }
  /// Returns the text of a heading.
  func text(of heading: Model.Heading) -> SafeText
  /// Returns the remark after a heading; nil for none.
  func remark(of heading: Model.Heading) -> ListFact?
  /// Returns the texts by which an item is found.
  func words(of item: Model.Item) -> [SafeText]
  func draw(_ item: Model.Item, in row: ListRow, on canvas: inout Canvas)
  /// Runs the action of an item.
  func choose(_ item: Model.Item)
  /// Passes the filtered items to the list; called before a frame and before an input.
  func fillList()
}

/// Text with a style about an item or a heading.
package struct ListFact {
  let text: SafeText
  let style: Style
  /// Columns by which the lines are indented.
  var indent = 0
}

/// Row of an item on the screen.
package struct ListRow {
  var rect: CellRect
  /// Index among the items, from 0.
  let number: Int
  let isSelected: Bool
  let context: RenderContext

  /// Returns a style on the row's background.
  func rowStyle(_ style: Style) -> Style { isSelected ? context.theme.selected(style) : style }

  /// Style of an item's name.
  var nameStyle: Style { rowStyle(isSelected ? context.theme.strong : context.theme.text) }
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

  package func fillList() { fillListByWords() }

  /// Passes the items to the list whose texts contain the words of the filter.
  func fillListByWords() {
    // A list that is still loading is not shown as empty.
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

  /// Chooses the selected item, or that of `number`; an invalid number is ignored.
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

  /// Returns the number of the item at a point; nil outside the items.
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

  /// Whether filter words are being typed.
  private var isTyping: Bool {
    navigator.stack.top is NarrowingModel && navigator.stack.below(navigator.stack.top) === model
  }

  private var hasLine: Bool { !hasOwnLine && (isTyping || isNarrowed) }

  /// Area without the filter line.
  var rowsArea: CellRect { listArea.inset(top: hasLine ? 1 : 0) }

  /// Rows of all items and the filter line, independent of the filter.
  var allRows: Int { max(1, list.rowCount(of: sections)) + (hasLine ? 1 : 0) }

  /// Filter line of the list.
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
        // A heading separates by itself.
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

  /// Returns the area of a row, counted from the first visible one.
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
    guard coversBody else {
      let lines = text.wrapped(toColumns: max(1, area.columns - 2))
      for (row, line) in lines.prefix(area.rows).enumerated() {
        canvas.write(
          line, at: area.row(row).origin.moved(columns: 1), style: context.theme.secondary)
      }
      return
    }
    let columns = max(1, min(emptyColumns, area.columns - 2))
    let clearing = rows.first { $0.name == "clear-filter" }.flatMap { row in
      row.keys.first.map { KeyName.text($0) + " " + context.strings[row.words] }
    }
    let lines = text.wrapped(toColumns: columns) + (clearing.map { [.empty, $0] } ?? [])
    let block = area.centered(CellSize(columns: area.columns, rows: lines.count))
    for (row, line) in lines.prefix(block.rows).enumerated() {
      canvas.write(
        line, at: block.row(row).centered(CellSize(columns: line.columns, rows: 1)).origin,
        style: row == lines.count - 1 && clearing != nil
          ? context.theme.accent : context.theme.secondary)
    }
  }

  /// Maximum columns of the text of an empty list over the whole body.
  private var emptyColumns: Int { 48 }
}
