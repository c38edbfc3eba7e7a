import MarketModel
import StoreCore

/// Turns texts into the tokens that the search index holds, and queries into its expressions.
///
/// Each word becomes its overlapping pairs of letters and its last letter alone: "mug" is
/// `mu ug g`. Any substring of a word is then a run of consecutive tokens, and no run crosses two
/// words. A letter is a Unicode scalar after folding.
///
/// Pairs of Latin letters are in nearly every text, so their runs are there once more by three
/// letters, each run ended by its last pair; words of Latin letters and digits are looked for by
/// those. A single letter is looked for as the start of a pair, a Latin one or a digit by a token
/// of its own.
package struct ProductGrams: Sendable {
  let tokenizer: SearchTokenizer

  init(fold: @escaping TextFolding) {
    tokenizer = SearchTokenizer(fold: fold)
  }

  /// The tokens of a product, separated by spaces.
  func tokens(name: String, description: String, seller: (id: Int64, name: String)) -> String {
    let tokens = textTokens(name: name, description: description, sellerName: seller.name)
    return tokens + Self.token(ofSeller: seller.id)
  }

  /// The tokens of a product but the last, the one of its seller.
  func textTokens(name: String, description: String, sellerName: String) -> String {
    var tokens = TokenText()
    let words = [name, description, sellerName].flatMap(tokenizer.words(of:))
    for word in words { Self.append(word, to: &tokens) }
    // Frequent letters are all ASCII.
    var isSingle = [Bool](repeating: false, count: 128)
    for run in words.flatMap({ $0.split { !SearchTokenizer.isFrequent($0) } }) {
      for letter in run { isSingle[Int(letter.value)] = true }
      if run.count > 2 { Self.append(run: run, to: &tokens) }
    }
    for (value, isThere) in isSingle.enumerated() where isThere {
      tokens.append(Self.singleMark)
      tokens.append(Unicode.Scalar(UInt8(value)))
      tokens.endToken()
    }
    return tokens.text
  }

  /// The expression that finds the products of a query; nil where it has no words.
  ///
  /// It is made of letters and digits that this type has chosen, never of the query's own syntax.
  func expression(for text: String, seller: Int64?) -> String? {
    var terms = Set<String>()
    for word in tokenizer.wanted(by: text) { terms.insert(Self.term(for: word)) }
    guard !terms.isEmpty else { return nil }
    if let seller { terms.insert("\"\(Self.token(ofSeller: seller))\"") }
    // Sorted, so that one query is always the same text.
    return terms.sorted().joined(separator: " AND ")
  }

  private static func append(_ word: ArraySlice<Unicode.Scalar>, to tokens: inout TokenText) {
    var previous: Unicode.Scalar?
    for scalar in word {
      let letter = letter(for: scalar)
      if let previous {
        tokens.append(previous)
        tokens.append(letter)
        tokens.endToken()
      }
      previous = letter
    }
    if let previous {
      tokens.append(previous)
      tokens.endToken()
    }
  }

  private static func append(run: ArraySlice<Unicode.Scalar>, to tokens: inout TokenText) {
    for start in run.indices.dropLast() {
      for letter in run[start..<min(start + 3, run.endIndex)] { tokens.append(letter) }
      tokens.endToken()
    }
  }

  private static func term(for word: ArraySlice<Unicode.Scalar>) -> String {
    let letters = word.map(letter(for:))
    if letters.count == 1, let single = letters.first {
      return SearchTokenizer.isFrequent(single)
        ? "\"\(token(ofSingle: single))\"" : "\"\(text(of: letters))\" *"
    }
    let size = letters.count > 2 && letters.allSatisfy(SearchTokenizer.isFrequent) ? 3 : 2
    let grams = letters.indices.dropLast(size - 1).map { text(of: letters[$0...].prefix(size)) }
    return "\"\(grams.joined(separator: " "))\""
  }

  private static func text(of letters: some Sequence<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(letters))
  }

  /// The index's tokeniser drops ASCII punctuation, so that moves to a private area; what lies in
  /// that area by itself moves out of its way.
  private static func letter(for scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case _ where SearchTokenizer.isFrequent(scalar): scalar
    case 0...0x7F: Unicode.Scalar(0xE000 + scalar.value) ?? scalar
    case 0xE000...0xE0FF: "\u{FFFD}"
    default: scalar
    }
  }

  private static let singleMark: Unicode.Scalar = "\u{E0FE}"

  private static func token(ofSingle letter: Unicode.Scalar) -> String { "\(singleMark)\(letter)" }

  /// A token that no text has, because it begins with a letter that none can contain.
  static func token(ofSeller id: Int64) -> String { "\u{E0FF}\(id)" }
}

/// Tokens one after the other, written as the bytes of their text: many times faster than appending
/// to a string.
private struct TokenText {
  private var bytes: [UInt8] = []

  init() {
    bytes.reserveCapacity(1_024)
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func append(_ letter: Unicode.Scalar) {
    if letter.isASCII {
      bytes.append(UInt8(truncatingIfNeeded: letter.value))
    } else {
      bytes.append(contentsOf: UTF8.encode(letter) ?? UTF8.encodedReplacementCharacter)
    }
  }

  mutating func endToken() {
    bytes.append(0x20)
  }
}
