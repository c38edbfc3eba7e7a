package import SafeText

/// A field of one line.
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

  /// The part of the line that fits into `columns` cells, and the caret's column in it.
  package func visible(columns: Int) -> (text: SafeText, caretColumn: Int) {
    let shown = buffer.characters.map(\.shown)
    let caret = shown[..<buffer.caret].reduce(0) { $0 + $1.columns }
    return FieldWindow.cut(shown.joined(), caret: caret, columns: columns)
  }
}
