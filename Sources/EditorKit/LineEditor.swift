package import SafeText

/// A field of one line.
package struct LineEditor: LineEditing, Hashable, Sendable {
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

  package func visible(columns: Int) -> (text: SafeText, caretColumn: Int) {
    let shown = buffer.characters.map(\.shown)
    return FieldWindow.cut(shown.joined(), caret: caretColumn(in: shown), columns: columns)
  }

  package func place(at column: Int, columns: Int) -> Int {
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
