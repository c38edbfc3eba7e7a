package import EditorKit

/// Password of a new product, typed twice.
package struct PasswordEntry {
  package private(set) var password = PasswordEditor()
  package private(set) var repetition = PasswordEditor()
  /// Whether keys go to the repetition.
  package internal(set) var isRepeating = false
  /// Whether the characters are shown; false as soon as the field loses the focus.
  package internal(set) var isShown = false

  /// Whether the password must be typed twice; false for one from the cache.
  package var needsRepetition: Bool { !password.isGiven }

  var isRepeated: Bool {
    !needsRepetition
      || password.withBytes { typed in repetition.withBytes { typed.elementsEqual($0) } }
  }

  /// Edits the password or the repetition.
  mutating func edit(_ change: (inout PasswordEditor) -> Void) {
    if isRepeating, needsRepetition { change(&repetition) } else { change(&password) }
  }

  /// Sets a password that needs no repetition.
  mutating func fill(_ bytes: UnsafeBufferPointer<UInt8>) {
    wipe()
    password.fill(bytes)
  }

  mutating func wipe() {
    password.wipe()
    repetition.wipe()
    (isRepeating, isShown) = (false, false)
  }
}
