/// Decomposition of Hangul syllables for searches (Unicode, section 3.12).
package enum Hangul {
  /// Initial consonants in the order of the syllable block, as compatibility letters (U+3131 to
  /// U+314E).
  package static let initials = Array("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ".unicodeScalars)

  private static let syllables: ClosedRange<UInt32> = 0xAC00...0xD7A3
  package static let vowelCount = 21
  /// Includes the absent final consonant.
  private static let finalCount = 28

  /// Parts of a syllable, as indexes in the order of the syllable block.
  package struct Parts: Hashable, Sendable {
    package let initial: Int
    package let vowel: Int
    /// 0 for no final consonant.
    package let final: Int

    /// The syllable without its final consonant.
    package var opened: Unicode.Scalar { Hangul.opened(initial, vowel) }
  }

  package static func isSyllable(_ scalar: Unicode.Scalar) -> Bool {
    syllables.contains(scalar.value)
  }

  /// Returns the parts of a syllable; nil for any other scalar.
  package static func parts(of scalar: Unicode.Scalar) -> Parts? {
    guard isSyllable(scalar) else { return nil }
    let position = Int(scalar.value - syllables.lowerBound)
    return Parts(
      initial: position / finalCount / vowelCount, vowel: position / finalCount % vowelCount,
      final: position % finalCount)
  }

  /// Returns the index in `initials` of a single consonant; nil for any other letter, and for
  /// consonants that only end syllables.
  package static func initial(alone scalar: Unicode.Scalar) -> Int? {
    // The range check decides for most letters.
    guard (0x3131...0x314E).contains(scalar.value) else { return nil }
    return initials.firstIndex(of: scalar)
  }

  /// Returns the index in `initials` of a single consonant or of the one that begins a syllable; nil
  /// for other letters.
  package static func initial(of scalar: Unicode.Scalar) -> Int? {
    parts(of: scalar)?.initial ?? initial(alone: scalar)
  }

  /// Returns all syllables that begin with a consonant.
  fileprivate static func syllables(beginningWith initial: Int) -> ClosedRange<Unicode.Scalar> {
    let count = vowelCount * finalCount
    return syllable(initial * count)...syllable((initial + 1) * count - 1)
  }

  /// Returns an open syllable and those that add a final consonant.
  fileprivate static func syllables(opening syllable: Unicode.Scalar) -> ClosedRange<Unicode.Scalar>
  {
    syllable...Self.syllable(Int(syllable.value - syllables.lowerBound) + finalCount - 1)
  }

  /// Returns the syllable of a consonant and a vowel, by their indexes, without a final consonant.
  package static func opened(_ initial: Int, _ vowel: Int) -> Unicode.Scalar {
    syllable((initial * vowelCount + vowel) * finalCount)
  }

  private static func syllable(_ position: Int) -> Unicode.Scalar {
    Unicode.Scalar(syllables.lowerBound + UInt32(clamping: position)) ?? "\u{FFFD}"
  }
}

/// Pattern for one letter of a search word.
package enum LetterPattern: Hashable, Sendable {
  /// Matches this letter only.
  case exactly(Unicode.Scalar)
  /// A consonant by its index in `Hangul.initials`; matches it, and every syllable that begins with
  /// it.
  case beginning(initial: Int)
  /// An unfinished syllable; matches it without or with any final consonant.
  case opening(Unicode.Scalar)

  /// Returns the patterns of a search word.
  ///
  /// A word of consonants alone matches the initials of syllables. In any other word the last letter
  /// may be unfinished: a consonant that will begin a syllable, or a syllable without its final
  /// consonant.
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

  /// Syllables that the pattern matches besides `alone`; nil for none.
  package var syllables: ClosedRange<Unicode.Scalar>? {
    switch self {
    case .exactly: nil
    case .beginning(let initial): Hangul.syllables(beginningWith: initial)
    case .opening(let syllable): Hangul.syllables(opening: syllable)
    }
  }

  /// The letter as typed.
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
  /// Whether these patterns match a run of a text's letters.
  package func occur(in letters: some RandomAccessCollection<Unicode.Scalar>) -> Bool {
    guard letters.count >= count else { return false }
    return letters.indices.dropLast(Swift.max(0, count - 1)).contains { start in
      zip(self, letters[start...]).allSatisfy { $0.stands(for: $1) }
    } || isEmpty
  }
}
