internal import SafeTextKit

/// Key with its modifiers, as the terminal reports it.
///
/// Letters carry their case: `G` is `KeyPress("G")` without `.shift`. Literals and static members allow
/// `case "j", .down:`.
package struct KeyPress: Hashable, Sendable {
  package let key: Key
  package let modifiers: Modifiers

  package init(_ key: Key, _ modifiers: Modifiers = []) {
    self.key = key
    self.modifiers = modifiers
  }

  package init(_ character: Character) {
    self.init(.character(character))
  }

  /// Character that a text field inserts; nil for other keys.
  package var text: Character? {
    guard case .character(let character) = key, modifiers.isEmpty else { return nil }
    return character
  }

  package enum Key: Hashable, Sendable {
    /// One Unicode scalar of typed text.
    case character(Character)
    case enter
    case escape
    case tab
    case backspace
    case delete
    case insert
    case up
    case down
    case left
    case right
    case home
    case end
    case pageUp
    case pageDown
    /// Function key, F1 to F20.
    case function(Int)
  }

  package struct Modifiers: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let shift = Modifiers(rawValue: 1)
    package static let alt = Modifiers(rawValue: 2)
    package static let control = Modifiers(rawValue: 4)
  }

  /// Creates the key of a C0 control character or DEL.
  init(controlByte byte: UInt8) {
    switch byte {
    case 0x08, 0x7F: self = .backspace
    case 0x09: self = .tab
    case 0x0D: self = .enter
    case 0x1B: self = .escape
    case 0x00: self = .control(" ")
    case 0x01..<0x1B: self = .control(Character(Unicode.Scalar(byte + 0x60)))
    default: self = .control(Character(Unicode.Scalar(byte + 0x40)))
    }
  }

  init(_ character: Character, alt: Bool) {
    self.init(.character(character), alt ? .alt : [])
  }

  func adding(_ modifiers: Modifiers) -> KeyPress {
    KeyPress(key, self.modifiers.union(modifiers))
  }

  /// Shortcut keys of this key outside text fields: itself, or the Latin keys of the same physical keys
  /// where the keyboard is in Hangul mode.
  package var shortcuts: [KeyPress] {
    guard case .character(let character) = key else { return [self] }
    let latin = HangulLayout.latinKeys(for: character)
    return latin.isEmpty ? [self] : latin.map { KeyPress(.character($0), modifiers) }
  }
}

extension KeyPress: ExpressibleByExtendedGraphemeClusterLiteral {
  package init(extendedGraphemeClusterLiteral character: Character) { self.init(character) }

  package static let enter = KeyPress(.enter)
  package static let escape = KeyPress(.escape)
  package static let tab = KeyPress(.tab)
  package static let backTab = KeyPress(.tab, .shift)
  package static let backspace = KeyPress(.backspace)
  package static let delete = KeyPress(.delete)
  package static let insert = KeyPress(.insert)
  package static let up = KeyPress(.up)
  package static let down = KeyPress(.down)
  package static let left = KeyPress(.left)
  package static let right = KeyPress(.right)
  package static let home = KeyPress(.home)
  package static let end = KeyPress(.end)
  package static let pageUp = KeyPress(.pageUp)
  package static let pageDown = KeyPress(.pageDown)

  package static func function(_ number: Int) -> KeyPress { KeyPress(.function(number)) }
  /// Ctrl with a letter in lower case.
  package static func control(_ letter: Character) -> KeyPress {
    KeyPress(.character(letter), .control)
  }
  package static func alt(_ character: Character) -> KeyPress {
    KeyPress(.character(character), .alt)
  }
}
