/// Text area with wrapped lines.
package struct TextEditor: TextEditing, Sendable {
  /// Motion by displayed rows.
  package enum RowMotion: Sendable, Equatable {
    case up, down
    case rowStart, rowEnd
    /// Rows down, or up when negative.
    case rows(Int)
  }

  package var buffer: TextBuffer

  /// Target column of vertical motions, valid while the caret is at `position`; nil before the first.
  private var goal: (position: Int, column: Int)?

  package init(_ text: String = "", caret: Int? = nil, limit: Int = .max) {
    buffer = TextBuffer(text, caret: caret, limit: limit)
  }

  /// Converts line breaks of every kind to newlines and tabs to spaces; drops control and invisible
  /// characters.
  package func admit(_ input: String) -> (text: String, isWhole: Bool) {
    admit(input) { character in
      if character.isNewline { return "\n" }
      if character == "\t" { return " " }
      return character.isUnfit ? nil : character
    }
  }

  /// Returns the layout for `columns` cells a row, of which only the caret uses the last.
  package func layout(columns: Int) -> TextLayout {
    TextLayout(buffer.characters, caret: buffer.caret, columns: columns)
  }

  /// Moves by rows of an area of that width; up from the first row moves to the start of the text,
  /// down from the last one to its end.
  package mutating func move(_ motion: RowMotion, columns: Int, selecting: Bool = false) {
    let layout = layout(columns: columns)
    let row = layout.rows[layout.caretRow]
    switch motion {
    case .up: moveRows(by: -1, in: layout, selecting: selecting)
    case .down: moveRows(by: 1, in: layout, selecting: selecting)
    case .rows(let count): moveRows(by: count, in: layout, selecting: selecting)
    case .rowStart: buffer.move(to: row.range.lowerBound, selecting: selecting)
    case .rowEnd: buffer.move(to: row.lastPosition, selecting: selecting)
    }
  }

  private mutating func moveRows(by count: Int, in layout: TextLayout, selecting: Bool) {
    let column =
      goal.flatMap { $0.position == buffer.caret ? $0.column : nil } ?? layout.caretColumn
    let target = layout.caretRow + count
    if target < 0, layout.caretRow == 0 {
      buffer.move(.textStart, selecting: selecting)
    } else if target >= layout.rows.count, layout.caretRow == layout.rows.count - 1 {
      buffer.move(.textEnd, selecting: selecting)
    } else {
      buffer.move(to: layout.position(row: target, column: column), selecting: selecting)
    }
    goal = (buffer.caret, column)
  }
}
