internal import SafeTextKit

/// Field that one types into: a text buffer, and what it lets in.
package protocol TextEditing {
  var buffer: TextBuffer { get set }

  /// The part of typed or pasted input that the field takes, in the form in which it takes it, at
  /// most `buffer.room` characters, and whether it is all that was meant.
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
  /// Terminals send a character of several scalars, such as an emoji with a skin tone, as several keys:
  /// what joins the character before it is taken, shows it anything by itself or not, and needs no room.
  /// They are composed first: comparing one with thousands of marks costs their number squared.
  func admit(
    _ input: String, transform: (Character) -> Character?
  ) -> (text: String, isWhole: Bool) {
    let room = buffer.room
    var taken = ""
    var count = 0
    var last = buffer.characterBefore
    for character in input.precomposed {
      let own = transform(character)
      if own == nil || count == 0, let joined = last?.joined(with: character) {
        taken.append(character)
        last = joined
        continue
      }
      guard let own else { continue }
      guard count < room else { return (taken, false) }
      taken.append(own)
      last = own
      count += 1
    }
    return (taken, true)
  }
}
