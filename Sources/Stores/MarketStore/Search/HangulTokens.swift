import MarketModel

/// Syllables at the end of a token, taken apart so that a token begins with all that a person types
/// before its last letter is there.
///
/// The pair of 자 and 전 is `자00mes`: ㅈ, ㅓ and ㄴ by their places, as letters of ASCII. The index
/// keeps the beginnings of 4 and 5 letters (`자00m`, `자00me`) as it keeps tokens, and no other token
/// but a seller's is that long.
enum HangulTokens {
  private static let mark = "00"
  private static let places = Array("abcdefghijklmnopqrstuvwxyz0".unicodeScalars)

  /// Appends the second letter of a pair.
  static func append(second letter: Unicode.Scalar, to token: inout TokenText) {
    guard let initial = Hangul.initial(of: letter) else { return token.append(letter) }
    for scalar in mark.unicodeScalars { token.append(scalar) }
    token.append(places[initial])
    guard let parts = Hangul.parts(of: letter) else { return }
    token.append(places[parts.vowel])
    if parts.final > 0 { token.append(places[parts.final - 1]) }
  }
}

/// Tokens of the first consonants of a product's syllables, and of its syllables without the last
/// consonant.
struct InitialTokens {
  private static let openedMark: Unicode.Scalar = "\u{E0FD}"
  private static let singleMark: Unicode.Scalar = "\u{E0FB}"
  private static let letters = (0..<19).map { Unicode.Scalar(UInt32(0xE100 + $0)) ?? "\u{FFFD}" }

  private static let count = Hangul.initials.count

  // By their numbers, since a set takes several times as long.
  private var singles = [Bool](repeating: false, count: count)
  private var pairs = [Bool](repeating: false, count: count * count)
  private var opened = [Bool](repeating: false, count: count * Hangul.vowelCount)

  /// Appends the runs of three consonants of a word, each ended by its last pair, and notes what is
  /// there once.
  mutating func append(_ word: ArraySlice<Unicode.Scalar>, to tokens: inout TokenText) {
    var run: [Int] = []
    for letter in word {
      let parts = Hangul.parts(of: letter)
      if let parts { opened[parts.initial * Hangul.vowelCount + parts.vowel] = true }
      if let initial = parts?.initial ?? Hangul.initial(alone: letter) {
        run.append(initial)
      } else {
        end(run, &tokens)
        run = []
      }
    }
    end(run, &tokens)
  }

  private mutating func end(_ run: [Int], _ tokens: inout TokenText) {
    for initial in run { singles[initial] = true }
    for start in run.indices.dropLast() {
      pairs[run[start] * Self.count + run[start + 1]] = true
      guard run.count > 2 else { continue }
      for initial in run[start..<min(start + 3, run.endIndex)] {
        tokens.append(Self.letters[initial])
      }
      tokens.endToken()
    }
  }

  /// Appends what is there once, in an order that depends on nothing else.
  func end(_ tokens: inout TokenText) {
    for (single, isThere) in singles.enumerated() where isThere {
      tokens.append(token: Self.run(of: [single]))
    }
    for (pair, isThere) in pairs.enumerated() where isThere {
      tokens.append(Self.letters[pair / Self.count])
      tokens.append(Self.letters[pair % Self.count])
      tokens.endToken()
    }
    for (place, isThere) in opened.enumerated() where isThere {
      tokens.append(Self.openedMark)
      tokens.append(Hangul.opened(place / Hangul.vowelCount, place % Hangul.vowelCount))
      tokens.endToken()
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

  func withUnsafeBytes(_ body: (UnsafeRawBufferPointer) -> Void) { bytes.withUnsafeBytes(body) }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func append(_ letter: Unicode.Scalar) {
    if letter.isASCII {
      bytes.append(UInt8(truncatingIfNeeded: letter.value))
    } else {
      bytes.append(contentsOf: UTF8.encode(letter) ?? UTF8.encodedReplacementCharacter)
    }
  }

  mutating func append(token: String) {
    bytes.append(contentsOf: token.utf8)
    endToken()
  }

  mutating func endToken() {
    bytes.append(0x20)
  }
}
