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

/// Reverse mapping of the Korean two-set keyboard (KS X 5002) to Latin keys.
package enum HangulLayout {
  /// Returns the Latin keys of a jamo (compatibility or conjoining) or a syllable in typing order;
  /// empty for any other character.
  package static func latinKeys(for character: Character) -> [Character] {
    character.unicodeScalars.flatMap(keys)
  }

  private static func keys(for scalar: Unicode.Scalar) -> [Character] {
    let value = Int(scalar.value)
    switch value {
    case 0xAC00...0xD7A3: return syllable(value - 0xAC00)
    case 0x3131...0x3163: return Array(compatibility[value - 0x3131])
    case 0x1100...0x1112: return Array(initials[value - 0x1100])
    case 0x1161...0x1175: return Array(vowels[value - 0x1161])
    case 0x11A8...0x11C2: return Array(finals[value - 0x11A8 + 1])
    default: return []
    }
  }

  /// Decomposes a precomposed syllable (Unicode 3.12).
  private static func syllable(_ index: Int) -> [Character] {
    let initial = initials[index / (vowels.count * finals.count)]
    let vowel = vowels[index / finals.count % vowels.count]
    return Array(initial + vowel + finals[index % finals.count])
  }

  // In Unicode order: ㄱ ㄲ ㄴ ㄷ ㄸ ㄹ ㅁ ㅂ ㅃ ㅅ ㅆ ㅇ ㅈ ㅉ ㅊ ㅋ ㅌ ㅍ ㅎ.
  private static let initials = words("r R s e E f a q Q t T d w W c z x v g")
  // ㅏ ㅐ ㅑ ㅒ ㅓ ㅔ ㅕ ㅖ ㅗ ㅘ ㅙ ㅚ ㅛ ㅜ ㅝ ㅞ ㅟ ㅠ ㅡ ㅢ ㅣ.
  private static let vowels = words("k o i O j p u P h hk ho hl y n nj np nl b m ml l")
  // None, then ㄱ ㄲ ㄳ ㄴ ㄵ ㄶ ㄷ ㄹ ㄺ ㄻ ㄼ ㄽ ㄾ ㄿ ㅀ ㅁ ㅂ ㅄ ㅅ ㅆ ㅇ ㅈ ㅊ ㅋ ㅌ ㅍ ㅎ.
  private static let finals =
    [""] + words("r R rt s sw sg e f fr fa fq ft fx fv fg a q qt t T d w c z x v g")
  // ㄱ to ㅎ, consonants and their clusters in one order, then the vowels.
  private static let compatibility =
    words("r R rt s sw sg e E f fr fa fq ft fx fv fg a q Q qt t T d w W c z x v g") + vowels

  private static func words(_ list: String) -> [String] {
    list.split(separator: " ").map(String.init)
  }
}
