import MarketModel
import StoreCore

/// Tokenizer of the search index of a market file: texts to tokens, and queries to FTS5 expressions.
///
/// Each word becomes its overlapping pairs of letters and its last letter alone: "mug" is `mu ug g`. Any
/// substring of a word is then a run of consecutive tokens, and a separator token keeps runs from crossing
/// two texts. A letter is a Unicode scalar after folding.
///
/// Pairs of Latin letters are in nearly every text, so such runs are also indexed by trigrams, each run
/// ended by its last pair; words of Latin letters and digits are searched by those. A single letter is
/// searched as the prefix of a pair, a Latin one or a digit by a token of its own.
///
/// A syllable is decomposed where it ends a pair, so that an unfinished one is a prefix of a token
/// (`HangulTokens`). The initial consonants of syllables are indexed by trigrams, and each of them and each
/// pair once.
package struct ProductGrams: Sendable {
  /// Maximum number of sellers that a query finds by their tokens; more are filtered by their column.
  static let maxSellers = 32

  let tokenizer: SearchTokenizer

  init(_ tokenizer: SearchTokenizer) {
    self.tokenizer = tokenizer
  }

  /// The tokens of a product, separated by spaces, except the last, that of its seller.
  func text(_ name: String, _ description: String, _ sellerName: String) -> IndexText {
    var tokens = ProductTokens(tokenizer)
    tokens.append(name: name, description: description, sellerName: sellerName)
    return IndexText(words: tokens.text.text)
  }

  /// The expression that finds the products of a query; nil where the query has no text conditions.
  ///
  /// It contains only letters and digits of this type's choice, never the query's own syntax.
  func expression(for query: ProductQuery) -> TextExpression? {
    let wanted = tokenizer.wanted(by: query)
    guard !wanted.isEmpty else { return nil }
    let terms = Self.terms(for: wanted)
    let narrowing = ProductConditions(query)
    var sellers: [String] = []
    if !terms.isEmpty, narrowing.sellers.count <= Self.maxSellers {
      sellers = narrowing.sellers.map { "\"\(Self.token(ofSeller: $0))\"" }
    }
    // Sorted, so that equal queries yield equal texts.
    var conjunction = terms.sorted()
    if sellers.count == 1 { conjunction = (conjunction + sellers).sorted() }
    if sellers.count > 1 { conjunction.append("(" + sellers.joined(separator: " OR ") + ")") }
    let exclusion = Set(
      wanted.without.map { phrase in
        let terms = Self.terms(for: phrase)
        return terms.count == 1 ? terms[0] : "(" + terms.joined(separator: " AND ") + ")"
      })
    return TextExpression(
      wanted: conjunction.joined(separator: " AND "),
      unwanted: exclusion.sorted().joined(separator: " OR "), namesSellers: !sellers.isEmpty)
  }

  // MARK: Terms of expressions

  /// The terms for the words and phrases that must occur.
  private static func terms(for wanted: SearchTerms) -> Set<String> {
    Set(wanted.words.map(term(for:)) + wanted.phrases.flatMap(terms(for:)))
  }

  /// The term for a searched word.
  private static func term(for word: ArraySlice<Unicode.Scalar>) -> String {
    let wanted = LetterPattern.letters(of: word)
    let initials = wanted.compactMap { letter in
      if case .beginning(let initial) = letter { initial } else { nil }
    }
    if initials.count == wanted.count { return "\"\(InitialTokens.run(of: initials))\"" }
    guard let last = wanted.last, last != .exactly(last.alone) else { return term(exactly: word) }
    if word.count == 1 { return "\"\(InitialTokens.token(ofOpened: last.alone))\"" }
    // The last token is a prefix of the searched ones.
    return "\"\(pairs(of: word).joined(separator: " "))\" *"
  }

  /// The term for a run of letters within a word.
  private static func term(exactly word: ArraySlice<Unicode.Scalar>) -> String {
    let letters = word.map(letter(for:))
    if letters.count == 1, let single = letters.first {
      return SearchTokenizer.isFrequent(single)
        ? "\"\(token(ofSingle: single))\"" : "\"\(text(of: letters))\" *"
    }
    guard letters.count > 2, letters.allSatisfy(SearchTokenizer.isFrequent) else {
      return "\"\(pairs(of: word).joined(separator: " "))\""
    }
    let grams = letters.indices.dropLast(2).map { text(of: letters[$0...].prefix(3)) }
    return "\"\(grams.joined(separator: " "))\""
  }

  /// The terms for consecutive words: the run of all tokens, and terms that find the words faster than a
  /// run of frequent tokens.
  private static func terms(for phrase: SearchTerms.Phrase) -> [String] {
    guard phrase.count > 1, let last = phrase.last else {
      return phrase.map(term(exactly:))
    }
    var tokens: [String] = []
    for word in phrase.dropLast() {
      tokens += pairs(of: word) + [text(of: word.suffix(1).map(letter(for:)))]
    }
    let isOpen = last.count == 1
    tokens += isOpen ? [text(of: last.map(letter(for:)))] : pairs(of: last)
    let run = "\"\(tokens.joined(separator: " "))\"" + (isOpen ? " *" : "")
    let words = phrase.filter { $0.count > 2 && $0.allSatisfy(SearchTokenizer.isFrequent) }
    return Set(words.map(term(exactly:))).sorted() + [run]
  }

  private static func pairs(of word: ArraySlice<Unicode.Scalar>) -> [String] {
    let letters = word.map(letter(for:))
    return zip(letters, letters.dropFirst()).map { first, second in
      var token = TokenText()
      token.append(first)
      HangulTokens.append(second: second, to: &token)
      return token.text
    }
  }

  private static func text(of letters: some Sequence<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(letters))
  }

  // MARK: Letters

  /// FTS5's tokenizer drops ASCII punctuation, so it is mapped to a private-use area; scalars of that
  /// area become U+FFFD.
  static func letter(for scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case _ where SearchTokenizer.isFrequent(scalar): scalar
    case 0...0x7F: Unicode.Scalar(0xE000 + scalar.value) ?? scalar
    case 0xE000...0xE1FF: "\u{FFFD}"
    default: scalar
    }
  }

  static let singleMark: Unicode.Scalar = "\u{E0FE}"
  static let textEnd: Unicode.Scalar = "\u{E0FC}"

  private static func token(ofSingle letter: Unicode.Scalar) -> String { "\(singleMark)\(letter)" }

  /// A token that no text contains, because its first letter is never produced from a text.
  static func token(ofSeller id: Int64) -> String { "\u{E0FF}\(id)" }
}

/// FTS5 expression of a query.
struct TextExpression: Hashable, Sendable {
  /// Terms that must be found; empty where there are none.
  let wanted: String
  /// Terms that must not be found; empty where there are none.
  let unwanted: String
  /// Whether it already restricts the products to the query's sellers.
  let namesSellers: Bool

  /// Whether the matching products are those that the expression does not find.
  var findsWhatDoesNotMatch: Bool { wanted.isEmpty }

  /// The argument of MATCH.
  var text: String {
    if wanted.isEmpty { return unwanted }
    return unwanted.isEmpty ? wanted : "(\(wanted)) NOT (\(unwanted))"
  }
}
