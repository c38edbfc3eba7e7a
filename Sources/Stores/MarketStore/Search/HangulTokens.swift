import MarketModel

/// Decomposed syllables at the end of tokens, so that the token of an unfinished syllable is a prefix of
/// the finished one's.
///
/// The pair of 자 and 전 is `자00mes`: ㅈ, ㅓ and ㄴ by their indices, as ASCII letters. The index stores the
/// prefixes of 4 and 5 letters (`자00m`, `자00me`) like tokens, and no other token except a seller's is
/// that long.
enum HangulTokens {
  private static let places = Array("abcdefghijklmnopqrstuvwxyz0".utf8)

  /// Appends the second letter of a pair, decomposed where it is a Hangul syllable.
  static func append(second letter: Unicode.Scalar, to token: inout TokenText) {
    guard letter.value >= 0x3131 else { return token.append(letter) }
    let parts = Hangul.parts(of: letter)
    guard let initial = parts?.initial ?? Hangul.initial(alone: letter) else {
      return token.append(letter)
    }
    token.append(byte: 0x30)
    token.append(byte: 0x30)
    token.append(byte: places[initial])
    guard let parts else { return }
    token.append(byte: places[parts.vowel])
    if parts.final > 0 { token.append(byte: places[parts.final - 1]) }
  }
}

/// Tokens of the initial consonants of a product's syllables, and of its syllables without their final
/// consonant.
struct InitialTokens {
  private static let openedMark: Unicode.Scalar = "\u{E0FD}"
  private static let singleMark: Unicode.Scalar = "\u{E0FB}"
  private static let letters = (0..<19).map { Unicode.Scalar(UInt32(0xE100 + $0)) ?? "\u{FFFD}" }

  private static let count = Hangul.initials.count

  // Bit sets, since `Set` takes several times as long.
  private var singles: UInt64 = 0
  private var pairs = [UInt64](repeating: 0, count: (count * count + 63) / 64)
  private var opened = [UInt64](repeating: 0, count: (count * Hangul.vowelCount + 63) / 64)
  private var run: [Int] = []

  /// Appends the trigrams of a word's initial consonants, each run ended by its last pair, and records
  /// what is appended once for each product.
  mutating func append(_ word: ArraySlice<Unicode.Scalar>, to tokens: inout TokenText) {
    for letter in word {
      if let parts = Hangul.parts(of: letter) {
        Self.set(parts.initial * Hangul.vowelCount + parts.vowel, in: &opened)
        run.append(parts.initial)
      } else if let initial = Hangul.initial(alone: letter) {
        run.append(initial)
      } else if !run.isEmpty {
        endRun(&tokens)
      }
    }
    if !run.isEmpty { endRun(&tokens) }
  }

  private mutating func endRun(_ tokens: inout TokenText) {
    for position in run.indices {
      singles |= 1 << UInt64(run[position])
      guard position + 1 < run.count else { break }
      Self.set(run[position] * Self.count + run[position + 1], in: &pairs)
      guard run.count > 2 else { continue }
      for initial in run[position..<min(position + 3, run.count)] {
        tokens.append(Self.letters[initial])
      }
      tokens.endToken()
    }
    run.removeAll(keepingCapacity: true)
  }

  private static func set(_ number: Int, in bits: inout [UInt64]) {
    bits[number >> 6] |= 1 << UInt64(number & 63)
  }

  /// Appends the recorded tokens, each once and in a fixed order, and resets the records.
  mutating func end(_ tokens: inout TokenText) {
    for single in BitIterator(singles) {
      tokens.append(Self.singleMark)
      tokens.append(Self.letters[single])
      tokens.endToken()
    }
    singles = 0
    for position in pairs.indices where pairs[position] != 0 {
      for bit in BitIterator(pairs[position]) {
        let pair = position << 6 + bit
        tokens.append(Self.letters[pair / Self.count])
        tokens.append(Self.letters[pair % Self.count])
        tokens.endToken()
      }
      pairs[position] = 0
    }
    for position in opened.indices where opened[position] != 0 {
      for bit in BitIterator(opened[position]) {
        let syllable = position << 6 + bit
        tokens.append(Self.openedMark)
        tokens.append(
          Hangul.opened(syllable / Hangul.vowelCount, syllable % Hangul.vowelCount))
        tokens.endToken()
      }
      opened[position] = 0
    }
  }

  /// The tokens of consecutive initial consonants.
  static func run(of initials: [Int]) -> String {
    let letters = initials.map { Self.letters[$0] }
    guard letters.count > 1 else { return text([singleMark] + letters) }
    return letters.indices.dropLast(letters.count > 2 ? 2 : 1)
      .map { text(letters[$0...].prefix(3)) }.joined(separator: " ")
  }

  static func token(ofOpened syllable: Unicode.Scalar) -> String { text([openedMark, syllable]) }

  private static func text(_ letters: some Sequence<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(letters))
  }
}

/// Tokens as the bytes of their text: many times faster than appending to a string.
struct TokenText {
  private var bytes: [UInt8] = []

  init() {
    bytes.reserveCapacity(1_024)
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func append(byte: UInt8) { bytes.append(byte) }

  mutating func append(_ letter: Unicode.Scalar) {
    let value = letter.value
    switch value {
    case 0..<0x80: bytes.append(UInt8(truncatingIfNeeded: value))
    case 0x800..<0x1_0000:
      bytes.append(UInt8(truncatingIfNeeded: value >> 12) | 0xE0)
      bytes.append(UInt8(truncatingIfNeeded: value >> 6) & 0x3F | 0x80)
      bytes.append(UInt8(truncatingIfNeeded: value) & 0x3F | 0x80)
    default: bytes.append(contentsOf: UTF8.encode(letter) ?? UTF8.encodedReplacementCharacter)
    }
  }

  mutating func endToken() {
    bytes.append(0x20)
  }
}
