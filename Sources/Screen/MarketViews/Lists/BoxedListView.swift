internal import MarketModel
import MarketStrings
internal import MarketViewModels
package import SafeTextKit
package import TerminalKit

/// List in a box over the screen, whose items are chosen by click or number.
@MainActor package protocol BoxedListView: SectionedListView {
  var box: Box { get }
  /// Paragraphs below the rows.
  var notes: [SafeText] { get }
  /// Whether a click only selects an item, as for a preview; a second click then chooses it.
  var selectsByClick: Bool { get }
  /// Closes the view without a choice; also called for a click outside the box.
  func leave()
}

extension BoxedListView {
  package var notes: [SafeText] { [] }
  package var selectsByClick: Bool { false }
  package var emptyText: SafeText { .empty }
  package func leave() { close() }

  package var listArea: CellRect {
    let content = box.content
    return content.inset(bottom: min(noteLines.count, max(0, content.rows - 1)))
  }

  package var moreMark: CellPoint {
    CellPoint(column: rowsArea.maxColumn, row: rowsArea.maxRow - 1)
  }

  /// Maximum columns of a note's lines.
  static var noteColumns: Int { 40 }

  /// Lines of the notes, each with a blank one above.
  private var noteLines: [SafeText] {
    let columns = max(1, min(Self.noteColumns, frame.body.columns - 8))
    return notes.flatMap { [.empty] + $0.wrapped(toColumns: columns) }
  }

  /// Returns the columns of the widest line in the box; `item` returns those of an item.
  func contentColumns(of item: (Model.Item) -> Int) -> Int {
    let lines = sections.flatMap { section in
      [section.heading.map { text(of: $0).columns + 2 } ?? 0] + section.items.map(item)
    }
    return (lines + noteLines.map { $0.columns + 1 }).max() ?? 0
  }

  /// Number of rows in the box.
  var contentRows: Int { allRows + noteLines.count }

  package func scroll(by notches: Int) -> Bool {
    move(notches < 0 ? .up : .down, times: abs(notches))
    return true
  }

  package func press(at point: CellPoint) -> Bool { pressList(at: point) }

  func pressList(at point: CellPoint) -> Bool {
    if let number = number(at: point) {
      if selectsByClick, number != list.selectedNumber { return select(at: point) }
      choose(number: number)
    } else if !box.rect.contains(point) {
      leave()
    }
    return true
  }

  package func draw(on canvas: inout Canvas) { drawBox(on: &canvas) }

  func drawBox(on canvas: inout Canvas) {
    box.draw(on: &canvas)
    drawList(on: &canvas)
    let area = box.content.inset(top: listArea.maxRow - box.content.minRow)
    for (row, line) in noteLines.prefix(area.rows).enumerated() {
      canvas.write(
        line, at: area.row(row).origin.moved(columns: 1), style: context.theme.secondary)
    }
  }
}

/// List in a box below its own text line, which filters it.
extension BoxedListView where Self: LineView {
  package var hasOwnLine: Bool { true }
  package static var takesOwnKeys: Bool { false }

  /// Rows of the line and the blank one below it.
  static var headRows: Int { 2 }

  /// In a low window the blank row is left out.
  package var listArea: CellRect {
    let content = box.content
    return content.inset(top: content.rows > Self.headRows ? Self.headRows : 1)
  }

  package func press(at point: CellPoint) -> Bool { moveCaret(to: point) || pressList(at: point) }

  package func draw(on canvas: inout Canvas) {
    drawBox(on: &canvas)
    field.draw(on: &canvas, context)
    // Screen readers follow the visible cursor, which is on the selected item rather than in the line.
    guard context.showsCursor, let place = selectedPlace else { return }
    canvas.setCursor(at: place.origin, isVisible: true)
  }
}

/// Item of a list as one line: number, mark and text at the left, a remark at the right.
struct ListLine {
  let text: SafeText
  var mark: Symbol?
  var remark = SafeText.empty
  /// Whether the remark is emphasized, as for a key.
  var isRemarkStrong = false
  /// Whether the item can be chosen; if not, it is grey.
  var isOffered = true
  /// Whether the first nine items have numbers.
  var isNumbered = true

  /// Columns before the text: selection bar, number, mark and blanks.
  private var indent: Int { isNumbered ? 6 : mark == nil ? 2 : 4 }
  private static let gap = 3

  /// Columns of the whole line.
  var columns: Int {
    indent + text.columns + (remark.isEmpty ? 0 : Self.gap + remark.columns)
  }

  func draw(in row: ListRow, on canvas: inout Canvas) {
    let (rect, theme) = (row.rect, row.context.theme)
    guard !rect.isEmpty else { return }
    if row.isSelected { canvas.markSelected(rect, theme) }
    let start = rect.origin.moved(columns: 2)
    if isNumbered, row.number < 9 {
      canvas.write(SafeText(row.number + 1), at: start, style: row.rowStyle(theme.secondary))
    }
    let style = isOffered ? row.nameStyle : row.rowStyle(theme.secondary)
    if let mark { canvas.put(mark, at: start.moved(columns: isNumbered ? 2 : 0), style: style) }
    // A short text leaves more room for the remark.
    let spare = rect.columns - indent - text.columns - 1
    let remark = remark.truncated(toColumns: max((rect.columns - indent) / 2, spare))
    let taken = remark.isEmpty ? 0 : remark.columns + 1
    canvas.write(
      text.truncated(toColumns: max(0, rect.columns - indent - taken)),
      at: rect.origin.moved(columns: indent), style: style)
    canvas.write(
      remark, at: rect.origin.moved(columns: rect.columns - remark.columns),
      style: row.rowStyle(isRemarkStrong ? theme.accent : theme.secondary))
  }
}
