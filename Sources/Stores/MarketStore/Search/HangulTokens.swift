import MarketModel

/// Syllables at the end of a token, taken apart so that a token begins with all that a person types
/// before its last letter is there.
///
/// The pair of 자 and 전 is `자00mes`: ㅈ, ㅓ and ㄴ by their places, as letters of ASCII. The index
/// keeps the beginnings of 4 and 5 letters (`자00m`, `자00me`) as it keeps tokens, and no other token
/// but a seller's is that long.
enum HangulTokens {
  private static let places = Array("abcdefghijklmnopqrstuvwxyz0".utf8)

  /// Appends the second letter of a pair.
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

/// Tokens of the first consonants of a product's syllables, and of its syllables without the last
/// consonant.
struct InitialTokens {
  private static let openedMark: Unicode.Scalar = "\u{E0FD}"
  private static let singleMark: Unicode.Scalar = "\u{E0FB}"
  private static let letters = (0..<19).map { Unicode.Scalar(UInt32(0xE100 + $0)) ?? "\u{FFFD}" }

  private static let count = Hangul.initials.count

  // A bit for each number, since a set takes several times as long.
  private var singles: UInt64 = 0
  private var pairs = [UInt64](repeating: 0, count: (count * count + 63) / 64)
  private var opened = [UInt64](repeating: 0, count: (count * Hangul.vowelCount + 63) / 64)
  private var run: [Int] = []

  /// Appends the runs of three consonants of a word, each ended by its last pair, and notes what is
  /// there once.
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

  /// Appends what is there once, in an order that depends on nothing else, and begins anew.
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

  /// The tokens of consonants that stand one after the other.
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

/// Tokens one after the other, written as the bytes of their text: many times faster than appending
/// to a string.
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
