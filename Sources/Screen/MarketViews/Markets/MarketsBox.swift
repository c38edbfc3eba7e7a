import MarketStrings
internal import SafeTextKit
package import TerminalKit

/// Box with a line for each market in columns, and under a rule the ways to something else.
package struct MarketsBox: ChoicesOnScreen {
  /// What stands in the line of a market.
  struct Line {
    let name: SafeText
    let isShown: Bool
    let opensAtStart: Bool
    let count: SafeText
    let new: SafeText
    let far: SafeText
    let api: SafeText
    /// Stands in the place of the columns.
    let note: SafeText
    let hasFailed: Bool

    fileprivate var cells: [SafeText] { [count, new, far, api] }
  }

  let lines: [Line]
  let ways: [SafeText]
  /// Index among the lines and the ways.
  let selected: Int
  let anchor: CellRect
  let bounds: CellRect
  let context: RenderContext

  /// Columns before the name: the bar of the selection, a number, a mark and blanks.
  private static let indent = 6
  private static let gap = 2
  private static let mark: SafeText = "*"
  /// What a name has at most while the columns need room, and at least.
  private static let (widestName, narrowestName) = (28, 8)

  package func draw(on canvas: inout Canvas) {
    let box = box
    box.draw(on: &canvas)
    let content = box.content
    for (row, index) in visible.enumerated() {
      let rect = content.row(row)
      switch rows[index] {
      case .market(let number): draw(lines[number], number: number, in: rect, on: &canvas)
      case .rule:
        canvas.horizontalRule(at: rect.origin, columns: rect.columns, style: context.theme.rule)
      case .way(let number):
        draw(
          ways[number - lines.count], number: number, in: rect, style: context.theme.text,
          on: &canvas)
      case .legend:
        canvas.write(
          legend, at: rect.origin.moved(columns: Self.indent), style: context.theme.secondary,
          maxColumns: rect.columns - Self.indent)
      }
    }
  }

  package func choice(at point: CellPoint) -> Int? {
    let content = box.content
    guard content.contains(point),
      visible.indices.contains(visible.startIndex + point.row - content.minRow)
    else { return nil }
    return rows[visible.startIndex + point.row - content.minRow].number
  }

  // MARK: Places

  private enum Row {
    case market(Int)
    case rule
    case way(Int)
    /// What the mark behind a name means.
    case legend

    var number: Int? {
      switch self {
      case .market(let number), .way(let number): number
      case .rule, .legend: nil
      }
    }
  }

  private var rows: [Row] {
    lines.indices.map(Row.market) + (context.isPlain ? [] : [.rule])
      + ways.indices.map { .way($0 + lines.count) }
      + (lines.contains(where: isMarked) ? [.legend] : [])
  }

  private var box: Box {
    let cells = widths.reduce(0) { $0 + ($1 == 0 ? 0 : $1 + Self.gap) }
    let notes = lines.map { $0.note.isEmpty ? 0 : $0.note.columns + Self.gap }.max() ?? 0
    let wide = (ways + [legend]).map(\.columns).max() ?? 0
    let columns = Self.indent + max(nameColumns + max(cells, notes), wide)
    let size = CellSize(columns: columns + 4, rows: rows.count + 2)
    return Box(of: size, at: anchor.inset(left: ScreenLayout.nameColumn - 2), in: bounds, context)
  }

  private var nameColumns: Int {
    min(Self.widestName, max(Self.narrowestName, lines.map { name(of: $0).columns }.max() ?? 0))
  }

  /// The widths of count, news, distance and API; an empty column has none.
  private var widths: [Int] {
    (0..<4).map { cell in lines.map { $0.cells[cell].columns }.max() ?? 0 }
  }

  /// The indices of the rows that fit, with the selected one among them.
  private var visible: Range<Int> {
    let rows = rows
    let count = min(rows.count, max(0, box.content.rows))
    let line = rows.firstIndex { $0.number == selected } ?? 0
    let first = max(0, min(line - count / 2, rows.count - count))
    return first..<first + count
  }

  /// A market's name, marked where the program begins with it.
  private func name(of line: Line) -> SafeText {
    isMarked(line) ? line.name + " " + Self.mark : line.name
  }

  /// Whether the program begins with a market rather than with another.
  private func isMarked(_ line: Line) -> Bool { line.opensAtStart && lines.count > 1 }

  private var legend: SafeText { Self.mark + " " + context.strings[.marketsLegend] }

  // MARK: Lines

  private func draw(_ line: Line, number: Int, in rect: CellRect, on canvas: inout Canvas) {
    let theme = context.theme
    let isSelected = number == selected
    let look = { (style: Style) in isSelected ? theme.selected(style) : style }
    let nameEnd = drawStart(
      name(of: line), number: number, mark: line.isShown ? .filledDot : .emptyDot, in: rect,
      style: theme.text, on: &canvas)
    guard line.note.isEmpty else {
      let room = rect.columns - nameEnd - Self.gap
      canvas.write(
        line.note.truncated(toColumns: max(0, room)),
        at: rect.origin.moved(columns: nameEnd + Self.gap),
        style: look(line.hasFailed ? theme.warning : theme.secondary))
      return
    }
    var end = rect.columns
    for (index, cell) in line.cells.enumerated().reversed() where widths[index] > 0 {
      let start = end - cell.columns
      // What has no room beside the name is left out, the API first.
      guard end - widths[index] >= nameEnd + Self.gap else { continue }
      canvas.write(
        cell, at: rect.origin.moved(columns: start),
        style: look(index == 1 ? theme.accent : index == 0 ? theme.text : theme.secondary))
      end -= widths[index] + Self.gap
    }
  }

  private func draw(
    _ way: SafeText, number: Int, in rect: CellRect, style: Style, on canvas: inout Canvas
  ) {
    _ = drawStart(way, number: number, mark: nil, in: rect, style: style, on: &canvas)
  }

  /// Draws the bar, the number, the mark and the name; gives the column behind what names may take.
  private func drawStart(
    _ text: SafeText, number: Int, mark: Symbol?, in rect: CellRect, style: Style,
    on canvas: inout Canvas
  ) -> Int {
    let theme = context.theme
    let isSelected = number == selected
    let look = { (style: Style) in isSelected ? theme.selected(style) : style }
    if isSelected { canvas.markSelected(rect, theme) }
    let position = rect.origin.moved(columns: 2)
    if number < 9 { canvas.write(SafeText(number + 1), at: position, style: look(theme.secondary)) }
    let nameStyle = look(isSelected ? theme.strong : style)
    if let mark { canvas.put(mark, at: position.moved(columns: 2), style: nameStyle) }
    let room =
      mark == nil ? rect.columns - Self.indent : min(nameColumns, rect.columns - Self.indent)
    canvas.write(
      text.truncated(toColumns: max(0, room)), at: rect.origin.moved(columns: Self.indent),
      style: nameStyle)
    return Self.indent + max(0, room)
  }
}
