/// Hangul syllables as searches take them apart (Unicode, section 3.12).
package enum Hangul {
  /// The consonants that syllables begin with, in the order of the syllables, as they are typed alone.
  package static let initials = Array("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ".unicodeScalars)

  private static let syllables: ClosedRange<UInt32> = 0xAC00...0xD7A3
  package static let vowelCount = 21
  /// With none.
  private static let finalCount = 28

  /// Parts of a syllable by their places in the order of the syllables.
  package struct Parts: Hashable, Sendable {
    package let initial: Int
    package let vowel: Int
    /// 0 is none.
    package let final: Int

    /// The syllable without its final consonant.
    package var opened: Unicode.Scalar { Hangul.opened(initial, vowel) }
  }

  package static func isSyllable(_ scalar: Unicode.Scalar) -> Bool {
    syllables.contains(scalar.value)
  }

  /// Nil for what is no syllable.
  package static func parts(of scalar: Unicode.Scalar) -> Parts? {
    guard isSyllable(scalar) else { return nil }
    let position = Int(scalar.value - syllables.lowerBound)
    return Parts(
      initial: position / finalCount / vowelCount, vowel: position / finalCount % vowelCount,
      final: position % finalCount)
  }

  /// The place among `initials` of a consonant that stands alone; nil for any other letter, and for
  /// consonants that only end syllables.
  package static func initial(alone scalar: Unicode.Scalar) -> Int? {
    // Most letters are told without looking.
    guard (0x3131...0x314E).contains(scalar.value) else { return nil }
    return initials.firstIndex(of: scalar)
  }

  /// The place among `initials` of the consonant that a letter is or begins with.
  package static func initial(of scalar: Unicode.Scalar) -> Int? {
    parts(of: scalar)?.initial ?? initial(alone: scalar)
  }

  /// The syllables that begin with a consonant.
  fileprivate static func syllables(beginningWith initial: Int) -> ClosedRange<Unicode.Scalar> {
    let count = vowelCount * finalCount
    return syllable(initial * count)...syllable((initial + 1) * count - 1)
  }

  /// An open syllable and those that end it with a consonant.
  fileprivate static func syllables(opening syllable: Unicode.Scalar) -> ClosedRange<Unicode.Scalar>
  {
    syllable...Self.syllable(Int(syllable.value - syllables.lowerBound) + finalCount - 1)
  }

  /// The syllable of a consonant and a vowel, by their places, that nothing ends.
  package static func opened(_ initial: Int, _ vowel: Int) -> Unicode.Scalar {
    syllable((initial * vowelCount + vowel) * finalCount)
  }

  private static func syllable(_ position: Int) -> Unicode.Scalar {
    Unicode.Scalar(syllables.lowerBound + UInt32(clamping: position)) ?? "\u{FFFD}"
  }
}

/// Letter of a word that is looked for: what it stands for in a text.
package enum LetterPattern: Hashable, Sendable {
  /// Itself alone.
  case exactly(Unicode.Scalar)
  /// A consonant, by its place among `Hangul.initials`: itself, and each syllable that begins with it.
  case beginning(initial: Int)
  /// A syllable that is still being typed: itself, and with each final consonant.
  case opening(Unicode.Scalar)

  /// The letters of a word that a person looks for.
  ///
  /// A word of consonants alone stands for the first consonants of syllables. In any other word the
  /// last letter may be under way: a consonant that a syllable will begin with, or a syllable that has
  /// no final consonant yet.
  package static func letters(of word: some BidirectionalCollection<Unicode.Scalar>) -> [Self] {
    let initials = word.compactMap(Hangul.initial(alone:))
    if initials.count == word.count { return initials.map(Self.beginning) }
    var letters = word.map(Self.exactly)
    if let last = word.last, !letters.isEmpty {
      if let initial = Hangul.initial(alone: last) {
        letters[letters.count - 1] = .beginning(initial: initial)
      } else if Hangul.parts(of: last)?.final == 0 {
        letters[letters.count - 1] = .opening(last)
      }
    }
    return letters
  }

  /// The syllables that it stands for beside the letter alone; nil where it stands for itself.
  package var syllables: ClosedRange<Unicode.Scalar>? {
    switch self {
    case .exactly: nil
    case .beginning(let initial): Hangul.syllables(beginningWith: initial)
    case .opening(let syllable): Hangul.syllables(opening: syllable)
    }
  }

  /// The letter as it was typed.
  package var alone: Unicode.Scalar {
    switch self {
    case .exactly(let scalar), .opening(let scalar): scalar
    case .beginning(let initial): Hangul.initials[initial]
    }
  }

  package func stands(for scalar: Unicode.Scalar) -> Bool {
    scalar == alone || syllables?.contains(scalar) == true
  }
}

extension [LetterPattern] {
  /// Whether a run of a text's letters is what these stand for.
  package func occur(in letters: some RandomAccessCollection<Unicode.Scalar>) -> Bool {
    guard letters.count >= count else { return false }
    return letters.indices.dropLast(Swift.max(0, count - 1)).contains { start in
      zip(self, letters[start...]).allSatisfy { $0.stands(for: $1) }
    } || isEmpty
  }
}
