/// Korean two-set keyboard (KS X 5002): its Latin keys for Hangul, and the Hangul that they type.
package enum HangulLayout {
  /// Returns the Latin keys of a jamo (compatibility or conjoining) or a syllable in typing order;
  /// empty for any other character.
  package static func latinKeys(for character: Character) -> [Character] {
    character.unicodeScalars.flatMap(keys)
  }

  /// Returns what the keys of a text type in the keyboard's other mode: Latin letters for Hangul, or
  /// Hangul for a text of Latin letters; nil for a text without either, and where no syllable results.
  package static func inOtherMode(_ text: String) -> String? {
    let latin = text.flatMap { character in
      let keys = latinKeys(for: character)
      return keys.isEmpty ? [character] : keys
    }
    if latin.count != text.count || latin != Array(text) { return String(latin) }
    let hangul = self.hangul(typing: text)
    return hangul.unicodeScalars.contains { (0xAC00...0xD7A3).contains($0.value) } ? hangul : nil
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

  private static func hangul(typing text: String) -> String {
    var composer = Composer()
    for character in text {
      // Keys without a jamo of their own with Shift type that without.
      let key = [String(character), character.lowercased()].first {
        initials.contains($0) || vowels.contains($0)
      }
      composer.type(key, character)
    }
    composer.endSyllable()
    return composer.text
  }

  /// Composition of syllables from keys.
  private struct Composer {
    private(set) var text = ""
    private var initial = ""
    private var vowel = ""
    private var final = ""

    /// Types the key of a jamo, or another character where `key` is nil.
    mutating func type(_ key: String?, _ character: Character) {
      guard let key else {
        endSyllable()
        text.append(character)
        return
      }
      if HangulLayout.initials.contains(key) {
        if !initial.isEmpty, !vowel.isEmpty, HangulLayout.finals.contains(final + key) {
          final += key
        } else {
          endSyllable()
          initial = key
        }
      } else if !final.isEmpty {
        // The last consonant begins the next syllable.
        let last = String(final.removeLast())
        endSyllable()
        (initial, vowel) = (last, key)
      } else if vowel.isEmpty || HangulLayout.vowels.contains(vowel + key) {
        vowel += key
      } else {
        endSyllable()
        vowel = key
      }
    }

    mutating func endSyllable() {
      let offset =
        if let first = HangulLayout.initials.firstIndex(of: initial),
          let second = HangulLayout.vowels.firstIndex(of: vowel),
          let third = HangulLayout.finals.firstIndex(of: final)
        {
          0xAC00 + (first * HangulLayout.vowels.count + second) * HangulLayout.finals.count + third
        } else {
          HangulLayout.compatibility.firstIndex(of: initial + vowel).map { 0x3131 + $0 }
        }
      if let scalar = offset.flatMap({ Unicode.Scalar(UInt32($0)) }) {
        text.unicodeScalars.append(scalar)
      }
      (initial, vowel, final) = ("", "", "")
    }
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
