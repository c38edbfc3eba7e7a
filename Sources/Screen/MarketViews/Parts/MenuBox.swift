internal import SafeTextKit
package import TerminalKit

/// Menu that drops from what it is about, or from the right end of the top bar: choices with marks and
/// numbers, headings between them, and notes.
package struct MenuBox: ChoicesOnScreen {
  let lines: [Line]
  /// The index of the selected choice among the choices.
  let selected: Int
  let bounds: CellRect
  /// What it is about; nil where that stands in the top bar.
  var anchor: CellRect?
  let context: RenderContext

  enum Line {
    case choice(Choice)
    case heading(SafeText)
    case note(SafeText)
    case blank
  }

  struct Choice {
    let text: SafeText
    /// Nil where nothing is in force or not.
    var mark: Mark?
    /// What does the same without the menu: at the right end of the line.
    var key = SafeText.empty
    /// Whether it can be chosen; what cannot is grey.
    var isOffered = true

    /// Columns of the words and the key.
    fileprivate var columns: Int { text.columns + (key.isEmpty ? 0 : keyGap + key.columns) }
    private var keyGap: Int { 3 }
  }

  /// Sign whether a choice is in force.
  enum Mark {
    /// One of which only one is.
    case one(Bool)
    /// One of which several can be.
    case several(Bool)

    fileprivate var symbol: Symbol {
      switch self {
      case .one(let isChosen): isChosen ? .filledDot : .emptyDot
      case .several(let isChosen): isChosen ? .checked : .unchecked
      }
    }
  }

  /// Columns before the words of headings and notes: the bar of the selection and a blank.
  private static let indent = 2
  /// Columns before the words of a choice: behind those of a heading a number, a mark and blanks.
  private static let choiceIndent = indent + 4
  /// Notes are wrapped to this width, or to that of the choices where they are wider.
  private static let noteColumns = 36

  package func draw(on canvas: inout Canvas) {
    let box = box
    box.draw(on: &canvas)
    for (row, index) in visible.enumerated() {
      draw(index, in: box.content.row(row), on: &canvas)
    }
  }

  package func choice(at point: CellPoint) -> Int? {
    let content = box.content
    guard content.contains(point), visible.indices.contains(point.row - content.minRow) else {
      return nil
    }
    return number(ofLine: visible[visible.startIndex + point.row - content.minRow])
  }

  private var box: Box {
    let size = CellSize(columns: columns + 4, rows: rows.count + 2)
    guard let anchor else { return Box(dropping: size, from: bounds, context) }
    return Box(of: size, at: anchor, in: bounds, context)
  }

  /// The widest line.
  private var columns: Int {
    rows.map { row in
      switch row {
      case .choice(let choice): Self.choiceIndent + choice.columns
      case .heading(let text), .note(let text): Self.indent + text.columns
      case .blank: 0
      }
    }.reduce(0, max)
  }

  /// The lines, with notes as wide as the choices.
  private var rows: [Line] {
    let widest = lines.reduce(Self.noteColumns) { widest, line in
      guard case .choice(let choice) = line else { return widest }
      return max(widest, choice.columns + Self.choiceIndent - Self.indent)
    }
    // The margins, the frame and a blank column inside of it, at both sides.
    let noteColumns = min(widest, max(1, bounds.columns - Self.indent - 6))
    return lines.flatMap { line in
      if case .note(let text) = line {
        text.wrapped(toColumns: noteColumns).map(Line.note)
      } else {
        [line]
      }
    }
  }

  /// The indices of the lines that fit, with the selected one among them.
  private var visible: Range<Int> {
    let rows = rows
    let count = min(rows.count, box.content.rows)
    let line = rows.indices.first { number(ofLine: $0) == selected } ?? 0
    let first = max(0, min(line - count / 2, rows.count - count))
    return first..<first + count
  }

  /// The index of the choice that a line is.
  private func number(ofLine line: Int) -> Int? {
    guard case .choice = rows[line] else { return nil }
    return rows[..<line].count { if case .choice = $0 { true } else { false } }
  }

  private func draw(_ line: Int, in rect: CellRect, on canvas: inout Canvas) {
    guard !rect.isEmpty else { return }
    switch rows[line] {
    case .heading(let text), .note(let text):
      canvas.write(
        text.truncated(toColumns: rect.columns - Self.indent),
        at: rect.origin.moved(columns: Self.indent), style: context.theme.secondary)
    case .choice(let choice): draw(choice, number: number(ofLine: line) ?? 0, in: rect, on: &canvas)
    case .blank: break
    }
  }

  private func draw(
    _ choice: Choice, number: Int, in rect: CellRect, on canvas: inout Canvas
  ) {
    let theme = context.theme
    let isSelected = number == selected
    let look = { (style: Style) in isSelected ? theme.selected(style) : style }
    if isSelected { canvas.markSelected(rect, theme) }
    let position = rect.origin.moved(columns: Self.indent)
    if number < 9 { canvas.write(SafeText(number + 1), at: position, style: look(theme.secondary)) }
    let plain = choice.isOffered ? theme.text : theme.secondary
    let style = look(isSelected && choice.isOffered ? theme.strong : plain)
    if let mark = choice.mark {
      canvas.put(mark.symbol, at: position.moved(columns: 2), style: style)
    }
    let taken = Self.choiceIndent + choice.columns - choice.text.columns
    canvas.write(
      choice.text.truncated(toColumns: rect.columns - taken),
      at: rect.origin.moved(columns: Self.choiceIndent), style: style)
    canvas.write(
      choice.key, at: rect.origin.moved(columns: rect.columns - choice.key.columns),
      style: look(theme.accent))
  }
}
