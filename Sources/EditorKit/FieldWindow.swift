internal import SafeText

/// The part of a long line that a narrow field shows.
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
