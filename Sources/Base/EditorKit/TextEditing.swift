internal import SafeTextKit

/// Text field: a buffer, and a filter for its input.
package protocol TextEditing {
  var buffer: TextBuffer { get set }

  /// Returns the accepted part of typed or pasted input in its normalized form, at most `buffer.room`
  /// characters; `isWhole` is false where the limit cut it.
  func admit(_ input: String) -> (text: String, isWhole: Bool)
}

extension TextEditing {
  package var text: String { buffer.text }

  /// Replaces the selection by typed text; false where the limit cut it.
  @discardableResult package mutating func type(_ input: String) -> Bool {
    insert(input, kind: .typing)
  }

  /// Replaces the selection by pasted text, in one step; false where the limit cut it.
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
  /// Accepts characters while there is room, as `transform` returns them; nil drops one.
  ///
  /// Terminals send a character of several scalars, such as an emoji with a skin tone, as several
  /// keys: what combines with the previous character is accepted, visible or not, and needs no room.
  /// The input is composed first, because comparing a character with thousands of marks takes
  /// quadratic time.
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
