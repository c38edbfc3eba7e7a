/// Korean two-set keyboard (KS X 5002), read backwards: which Latin keys were pressed.
package enum HangulLayout {
  /// The Latin keys of a compatibility or conjoining jamo or a syllable, in the order they were
  /// pressed; none for any other character.
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

  /// Takes a precomposed syllable apart (Unicode 3.12).
  private static func syllable(_ index: Int) -> [Character] {
    let initial = initials[index / (vowels.count * finals.count)]
    let vowel = vowels[index / finals.count % vowels.count]
    return Array(initial + vowel + finals[index % finals.count])
  }

  // In the order of Unicode: ㄱ ㄲ ㄴ ㄷ ㄸ ㄹ ㅁ ㅂ ㅃ ㅅ ㅆ ㅇ ㅈ ㅉ ㅊ ㅋ ㅌ ㅍ ㅎ.
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
