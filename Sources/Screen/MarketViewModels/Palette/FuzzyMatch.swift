internal import MarketModel
internal import SafeTextKit

/// Quality of a match between a text and a typed pattern, by which the palette is sorted.
///
/// Letters are compared by `String.folded`. Initial consonants match Hangul (ㅈㄹ finds 정렬), and so
/// does an unfinished syllable (저 finds 정렬).
package nonisolated enum FuzzyMatch: Int, Comparable, Sendable {
  /// Each run of letters is at the start of a word.
  case wordStarts
  /// The letters are contiguous anywhere.
  case inside
  /// The letters are contiguous at the start of a word.
  case wordPrefix
  case prefix
  case whole

  package static func < (one: FuzzyMatch, other: FuzzyMatch) -> Bool {
    one.rawValue < other.rawValue
  }

  /// Best match of all words of a pattern; nil if a word is in none of the texts.
  ///
  /// The weakest word counts; each word may match another text.
  package static func best(of pattern: String, in texts: [FuzzyText]) -> FuzzyMatch? {
    var weakest = FuzzyMatch.whole
    for word in pattern.split(whereSeparator: \.isWhitespace) {
      let letters = FuzzyLetter.typed(String(word))
      guard let best = texts.compactMap({ $0.match(letters) }).max() else { return nil }
      weakest = min(weakest, best)
    }
    return weakest
  }
}

/// Text prepared for matching.
package nonisolated struct FuzzyText: Sendable {
  private let letters: [FuzzyLetter]
  private let beginsWord: [Bool]
  /// Whether the text is a list of unrelated words.
  private let isWordList: Bool

  /// Maximum characters of a text that are searched, because foreign texts can be long.
  private static let longest = 200

  package init(_ text: String, isWordList: Bool = false) {
    self.isWordList = isWordList
    let characters = Array(text.folded.prefix(Self.longest))
    letters = characters.map(FuzzyLetter.init)
    beginsWord = characters.indices.map { index in
      index == 0 || (characters[index].isWordPart && !characters[index - 1].isWordPart)
    }
  }

  fileprivate func match(_ pattern: [FuzzyLetter]) -> FuzzyMatch? {
    guard !pattern.isEmpty, pattern.count <= letters.count else {
      return pattern.isEmpty ? .whole : nil
    }
    let places = (0...letters.count - pattern.count).filter { position in
      pattern.indices.allSatisfy { pattern[$0].stands(for: letters[position + $0]) }
    }
    if isWordList { return places.contains { beginsWord[$0] } ? .wordPrefix : nil }
    if places.first == 0 { return pattern.count == letters.count ? .whole : .prefix }
    if places.contains(where: { beginsWord[$0] }) { return .wordPrefix }
    if !places.isEmpty { return .inside }
    return isInRuns(pattern) ? .wordStarts : nil
  }

  /// Whether the pattern consists of starts of words, as `sch` of "Sort: cheapest".
  private func isInRuns(_ pattern: [FuzzyLetter]) -> Bool {
    var ends: [Int] = []
    for (index, letter) in pattern.enumerated() {
      let first = ends.first ?? -1
      let after = Set(ends.map { $0 + 1 })
      ends = letters.indices.filter { position in
        letter.stands(for: letters[position])
          && (index > 0 && after.contains(position) || beginsWord[position] && position > first)
      }
      if ends.isEmpty { return false }
    }
    return true
  }
}

/// Character, with the parts of a Hangul syllable.
private nonisolated struct FuzzyLetter: Hashable, Sendable {
  let character: Character
  /// Parts of the syllable; nil for other characters.
  private let parts: Hangul.Parts?

  init(_ character: Character) {
    self.character = character
    let scalars = character.unicodeScalars
    parts =
      scalars.count == 1 ? scalars.first.flatMap(Hangul.parts(of:)) : nil
  }

  static func == (one: FuzzyLetter, other: FuzzyLetter) -> Bool {
    one.character == other.character
  }

  func hash(into hasher: inout Hasher) { hasher.combine(character) }

  /// Whether it matches a letter of a text: the same one, a syllable with this initial consonant, or
  /// one whose final consonant is not typed yet.
  func stands(for letter: FuzzyLetter) -> Bool {
    if character == letter.character { return true }
    guard let found = letter.parts else { return false }
    if let parts {
      return parts.initial == found.initial && parts.vowel == found.vowel
        && (parts.final == 0 || parts.final == found.final)
    }
    return character.unicodeScalars.first.flatMap(Hangul.initial(alone:)) == found.initial
  }

  /// Compound consonants, which input methods make of two typed ones.
  private static let clusters: [Character: String] = [
    "ㄳ": "ㄱㅅ", "ㄵ": "ㄴㅈ", "ㄶ": "ㄴㅎ", "ㄺ": "ㄹㄱ", "ㄻ": "ㄹㅁ", "ㄼ": "ㄹㅂ", "ㄽ": "ㄹㅅ",
    "ㄾ": "ㄹㅌ", "ㄿ": "ㄹㅍ", "ㅀ": "ㄹㅎ", "ㅄ": "ㅂㅅ",
  ]

  /// Letters of a typed pattern.
  static func typed(_ text: String) -> [FuzzyLetter] {
    text.folded.flatMap { character in
      (clusters[character] ?? String(character)).map(FuzzyLetter.init)
    }
  }
}

nonisolated extension Character {
  fileprivate var isWordPart: Bool { isLetter || isNumber }
}
