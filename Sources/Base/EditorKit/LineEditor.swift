package import SafeTextKit

/// Field that shows its text in one line, or a part of it that has the caret.
package struct LineEditor: TextEditing, Hashable, Sendable {
  package var buffer: TextBuffer

  package init(_ text: String = "", caret: Int? = nil, limit: Int = .max) {
    buffer = TextBuffer(text, caret: caret, limit: limit)
  }

  /// Line breaks and tabs become spaces; control characters and what shows nothing are left out.
  package func admit(_ input: String) -> (text: String, isWhole: Bool) {
    admit(input) { character in
      if character.isNewline || character == "\t" { return " " }
      return character.isUnfit ? nil : character
    }
  }

  /// The part that fits into `columns` cells, and the caret's column in it.
  package func visible(columns: Int) -> (text: SafeText, caretColumn: Int) {
    let shown = buffer.characters.map(\.shown)
    return FieldWindow.cut(shown.joined(), caret: caretColumn(in: shown), columns: columns)
  }

  /// The place that is shown at a column of that part, or the end where it is shorter.
  package func position(at column: Int, columns: Int) -> Int {
    let shown = buffer.characters.map(\.shown)
    var rest = caretColumn(in: shown) - visible(columns: columns).caretColumn + column
    return shown.prefix { character in
      rest -= character.columns
      return rest >= 0
    }.count
  }

  private func caretColumn(in shown: [SafeText]) -> Int {
    shown[..<buffer.caret].reduce(0) { $0 + $1.columns }
  }
}

/// Window of a narrow field: the part of a long line that it shows.
enum FieldWindow {
  /// A function of text and caret alone: it moves on by half a field when the caret gets to its
  /// end, and keeps the last cell for a caret behind the text.
  static func cut(
    _ line: SafeText, caret: Int, columns: Int
  ) -> (text: SafeText, caretColumn: Int) {
    guard columns > 0 else { return (.empty, 0) }
    let offset = offset(of: line, caret: caret, columns: columns)
    return (line.dropping(columns: offset).prefix(columns: columns), caret - offset)
  }

  private static func offset(of line: SafeText, caret: Int, columns: Int) -> Int {
    guard line.columns >= columns else { return 0 }
    guard columns >= 4 else { return caret }
    let half = columns / 2
    return min(max(0, caret / half - 1) * half, line.columns + 1 - columns)
  }
}
