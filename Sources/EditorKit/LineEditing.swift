package import SafeText

/// A field that shows its text in one line, or a part of it that has the caret.
package protocol LineEditing: TextEditing {
  /// The part that fits into `columns` cells, and the caret's column in it.
  func visible(columns: Int) -> (text: SafeText, caretColumn: Int)

  /// The place that is shown at a column of that part, or the end where it is shorter.
  func place(at column: Int, columns: Int) -> Int
}
