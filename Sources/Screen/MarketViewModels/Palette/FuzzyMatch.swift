internal import MarketModel
internal import SafeTextKit

/// How well a text fits what was typed to find it: the order of the palette.
///
/// Letters count as searches compare them (`String.folded`). First consonants find Hangul (ㅈㄹ finds 정렬), and so does a syllable that is
/// under way (저 finds 정렬).
package nonisolated enum FuzzyMatch: Int, Comparable, Sendable {
  /// Each run of letters begins a word.
  case wordStarts
  /// The letters stand side by side somewhere.
  case inside
  /// A word begins with them.
  case wordPrefix
  case prefix
  case whole

  package static func < (one: FuzzyMatch, other: FuzzyMatch) -> Bool {
    one.rawValue < other.rawValue
  }

  /// The best fit of all words of a pattern; nil where one is in none of the texts.
  ///
  /// The weakest word counts, and each may be found in another text.
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

/// A text as it is looked through, made once.
package nonisolated struct FuzzyText: Sendable {
  private let letters: [FuzzyLetter]
  private let beginsWord: [Bool]
  /// Whether it is a list of words that have nothing to do with each other.
  private let isWordList: Bool

  /// Texts of strangers are looked through up to here.
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

  /// Whether the pattern is made of beginnings of words, as `sch` of "Sort: cheapest".
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

/// A character, with the parts of a Hangul syllable.
private nonisolated struct FuzzyLetter: Hashable, Sendable {
  let character: Character
  /// Nil for all but syllables.
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

  /// Whether typing this means a letter of a text: the same, a syllable by its first consonant, or one
  /// that still lacks its last consonant.
  func stands(for letter: FuzzyLetter) -> Bool {
    if character == letter.character { return true }
    guard let found = letter.parts else { return false }
    if let parts {
      return parts.initial == found.initial && parts.vowel == found.vowel
        && (parts.final == 0 || parts.final == found.final)
    }
    return character.unicodeScalars.first.flatMap(Hangul.initial(alone:)) == found.initial
  }

  /// What input methods make of two consonants that are typed one after the other.
  private static let clusters: [Character: String] = [
    "ㄳ": "ㄱㅅ", "ㄵ": "ㄴㅈ", "ㄶ": "ㄴㅎ", "ㄺ": "ㄹㄱ", "ㄻ": "ㄹㅁ", "ㄼ": "ㄹㅂ", "ㄽ": "ㄹㅅ",
    "ㄾ": "ㄹㅌ", "ㄿ": "ㄹㅍ", "ㅀ": "ㄹㅎ", "ㅄ": "ㅂㅅ",
  ]

  /// The letters of what was typed.
  static func typed(_ text: String) -> [FuzzyLetter] {
    text.folded.flatMap { character in
      (clusters[character] ?? String(character)).map(FuzzyLetter.init)
    }
  }
}

nonisolated extension Character {
  fileprivate var isWordPart: Bool { isLetter || isNumber }
}
