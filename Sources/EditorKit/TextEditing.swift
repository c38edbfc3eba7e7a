internal import SafeText

/// A field that one types into: a text buffer, and what it lets in.
package protocol TextEditing {
  var buffer: TextBuffer { get set }

  /// The part of `input` that the field takes, in the form in which it takes it.
  ///
  /// - Parameter input: what was typed or pasted.
  /// - Returns: the text to insert, at most `buffer.room` characters, and whether it is all that
  ///   was meant.
  func admit(_ input: String) -> (text: String, isWhole: Bool)
}

extension TextEditing {
  package var text: String { buffer.text }

  /// Puts typed text in place of the selection; false when not all of it was taken.
  @discardableResult package mutating func type(_ input: String) -> Bool {
    insert(input, kind: .typing)
  }

  /// Puts pasted text in place of the selection, as one step; false when not all of it was taken.
  @discardableResult package mutating func paste(_ input: String) -> Bool {
    insert(input, kind: .single)
  }

  private mutating func insert(_ input: String, kind: EditHistory.Kind) -> Bool {
    let (text, isWhole) = admit(input)
    if !text.isEmpty { buffer.insert(text, kind: kind) }
    return isWhole
  }

  package mutating func move(_ motion: Motion, selecting: Bool = false) {
    buffer.move(motion, selecting: selecting)
  }

  package mutating func delete(_ motion: Motion) {
    buffer.delete(motion)
  }

  package mutating func cut() -> String? {
    buffer.cut()
  }

  @discardableResult package mutating func undo() -> Bool {
    buffer.undo()
  }

  @discardableResult package mutating func redo() -> Bool {
    buffer.redo()
  }
}

extension TextEditing {
  /// Takes characters as long as there is room, in the form `transform` gives them.
  ///
  /// They are composed first: comparing one with thousands of marks costs their number squared.
  func admit(
    _ input: String, transform: (Character) -> Character?
  ) -> (text: String, isWhole: Bool) {
    let room = buffer.room
    var taken = ""
    var count = 0
    for character in input.precomposed {
      guard let character = transform(character) else { continue }
      guard count < room else { return (taken, false) }
      taken.append(character)
      count += 1
    }
    return (taken, true)
  }
}
