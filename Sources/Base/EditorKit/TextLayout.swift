package import SafeTextKit

/// Layout of a text in rows of a given width.
///
/// Rows break after spaces, and within words longer than a row. The last column is reserved for the
/// caret after a full row and for one space at a break.
package struct TextLayout: Sendable {
  package struct Row: Equatable, Sendable {
    /// Character offsets of the row; a line break after them belongs to no row.
    package let range: Range<Int>

    /// Whether the line ends here; false where it continues in the next row.
    package let endsLine: Bool

    /// Last caret position in this row.
    var lastPosition: Int { endsLine ? range.upperBound : range.upperBound - 1 }
  }

  /// At least one row.
  package let rows: [Row]
  package let caretRow: Int

  /// From 0 to the width of the area minus one.
  package let caretColumn: Int

  private let cells: RowCells

  init(_ characters: [Character], caret: Int, columns: Int) {
    cells = RowCells(characters: characters, width: max(1, columns - 1))
    rows = RowBreaker.rows(of: cells)
    caretRow = rows.lastIndex { $0.range.lowerBound <= caret } ?? 0
    let column = cells.columns(of: rows[caretRow].range.lowerBound..<caret)
    caretColumn = min(column, max(0, columns - 1))
  }

  /// Returns the text of a row, one cell narrower than the area except for a trailing space.
  package func text(ofRow row: Int) -> SafeText {
    rows[row].range.map { cells.shown($0) }.joined()
  }

  /// Returns the columns of a row within a selection; empty for none.
  package func columns(of selection: Range<Int>, inRow row: Int) -> Range<Int> {
    let range = rows[row].range
    let selected = selection.clamped(to: range)
    let start = cells.columns(of: range.lowerBound..<selected.lowerBound)
    return start..<start + cells.columns(of: selected)
  }

  /// Returns the character offset at `column` of `row`; the row's last one past its end.
  package func position(row: Int, column: Int) -> Int {
    let row = rows[min(max(0, row), rows.count - 1)]
    var position = row.range.lowerBound
    var end = 0
    while position < row.lastPosition {
      end += cells.columns(at: position)
      guard end <= column else { break }
      position += 1
    }
    return position
  }

  /// Returns the rows visible in an area of `height` rows, with the caret's row in the middle where
  /// possible.
  package func window(height: Int) -> Range<Int> {
    let last = max(0, rows.count - max(0, height))
    let first = min(max(0, caretRow - height / 2), last)
    return first..<min(rows.count, first + max(0, height))
  }
}

/// Line breaking, character by character.
private struct RowBreaker {
  private let width: Int
  private var rows: [TextLayout.Row] = []
  private var start = 0

  /// Cells taken since `start`.
  private var used = 0

  /// Offset after the last space of the row, and the cells up to it; nil for none.
  private var lastBreak: (position: Int, used: Int)?

  static func rows(of cells: RowCells) -> [TextLayout.Row] {
    var breaker = RowBreaker(width: cells.width)
    for position in cells.characters.indices {
      if cells.characters[position].isNewline {
        breaker.endRow(at: position, endsLine: true, next: position + 1)
      } else {
        breaker.add(
          position, columns: cells.columns(at: position), isSpace: cells.characters[position] == " "
        )
      }
    }
    breaker.endRow(at: cells.characters.count, endsLine: true, next: 0)
    return breaker.rows
  }

  private init(width: Int) {
    self.width = width
  }

  private mutating func add(_ position: Int, columns: Int, isSpace: Bool) {
    if isSpace, used == width {
      return endRow(at: position + 1, endsLine: false, next: position + 1)
    }
    while used + columns > width {
      let taken = used
      let end = lastBreak ?? (position, taken)
      endRow(at: end.position, endsLine: false, next: end.position)
      used = taken - end.used
    }
    used += columns
    if isSpace { lastBreak = (position + 1, used) }
  }

  private mutating func endRow(at end: Int, endsLine: Bool, next: Int) {
    rows.append(TextLayout.Row(range: start..<end, endsLine: endsLine))
    start = next
    used = 0
    lastBreak = nil
  }
}

/// Widths of a text's characters in rows.
private struct RowCells: Sendable {
  let characters: [Character]
  let width: Int

  /// Returns the displayed character; an ellipsis for one wider than the row.
  func shown(_ position: Int) -> SafeText {
    characters[position].shown.truncated(toColumns: width)
  }

  func columns(at position: Int) -> Int {
    min(characters[position].shown.columns, width)
  }

  func columns(of range: Range<Int>) -> Int {
    range.reduce(0) { $0 + columns(at: $1) }
  }
}
