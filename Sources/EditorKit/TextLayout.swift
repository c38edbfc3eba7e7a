package import SafeText

/// The rows in which a text area of a given width shows a text.
///
/// Text is broken behind spaces, words longer than a row anywhere. The last column is kept for the
/// caret behind a full row and for one space at which a row is broken.
package struct TextLayout: Sendable {
  package struct Row: Equatable, Sendable {
    /// The places of the row's characters; the line break after them belongs to no row.
    package let range: Range<Int>

    /// False when the text goes on in the next row without a line break.
    package let endsLine: Bool

    /// The last place at which the caret is shown in this row.
    var lastPlace: Int { endsLine ? range.upperBound : range.upperBound - 1 }
  }

  /// At least one.
  package let rows: [Row]
  package let caretRow: Int

  /// From 0 to one less than the width of the area.
  package let caretColumn: Int

  private let cells: RowCells

  init(_ characters: [Character], caret: Int, columns: Int) {
    cells = RowCells(characters: characters, width: max(1, columns - 1))
    rows = RowBreaker.rows(of: cells)
    caretRow = rows.lastIndex { $0.range.lowerBound <= caret } ?? 0
    let column = cells.columns(of: rows[caretRow].range.lowerBound..<caret)
    caretColumn = min(column, max(0, columns - 1))
  }

  /// What a row shows, one cell narrower than the area but for a space at its end.
  package func text(ofRow row: Int) -> SafeText {
    rows[row].range.map { cells.shown($0) }.joined()
  }

  /// The columns of a row that a selection covers, empty when it covers none.
  package func columns(of selection: Range<Int>, inRow row: Int) -> Range<Int> {
    let range = rows[row].range
    let selected = selection.clamped(to: range)
    let start = cells.columns(of: range.lowerBound..<selected.lowerBound)
    return start..<start + cells.columns(of: selected)
  }

  /// The place in `row` that is shown at `column` or, past the row's end, the last one.
  package func place(row: Int, column: Int) -> Int {
    let row = rows[min(max(0, row), rows.count - 1)]
    var place = row.range.lowerBound
    var end = 0
    while place < row.lastPlace {
      end += cells.columns(at: place)
      guard end <= column else { break }
      place += 1
    }
    return place
  }

  /// The rows that an area of `height` rows shows: the caret's row in the middle, where there is
  /// text enough above and below.
  package func window(height: Int) -> Range<Int> {
    let last = max(0, rows.count - max(0, height))
    let first = min(max(0, caretRow - height / 2), last)
    return first..<min(rows.count, first + max(0, height))
  }
}
