package import SafeTextKit

/// Text field of one line, which shows the part around the caret.
package struct LineEditor: TextEditing, Hashable, Sendable {
  package var buffer: TextBuffer

  package init(_ text: String = "", caret: Int? = nil, limit: Int = .max) {
    buffer = TextBuffer(text, caret: caret, limit: limit)
  }

  /// Replaces line breaks and tabs by spaces; drops control and invisible characters.
  package func admit(_ input: String) -> (text: String, isWhole: Bool) {
    admit(input) { character in
      if character.isNewline || character == "\t" { return " " }
      return character.isUnfit ? nil : character
    }
  }

  /// Returns the part that fits into `columns` cells, and the caret's column in it.
  package func visible(columns: Int) -> (text: SafeText, caretColumn: Int) {
    let shown = buffer.characters.map(\.shown)
    return FieldWindow.cut(shown.joined(), caret: caretColumn(in: shown), columns: columns)
  }

  /// Returns the character offset at a column of the visible part; the end for columns past it.
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

/// Visible part of a line in a narrow field.
enum FieldWindow {
  /// Returns the visible part and the caret's column in it.
  ///
  /// Depends on text and caret only: it scrolls by half a field when the caret reaches the end, and
  /// leaves the last cell to a caret after the text.
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
