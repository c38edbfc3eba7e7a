internal import SafeTextKit

/// Tokenizer of searches, in stores and wherever texts are searched: the words of texts and of
/// queries as they are compared, each a run of letters.
///
/// A letter is a Unicode scalar after folding (`String.folded`). Blanks and connectors that spellings
/// differ in are ignored (`SearchSpelling`): 아이폰 15 and 아이폰15 are one word, and so are Wi-Fi and wifi.
/// With any index, a search finds the products of which every search word is part of a word.
package struct SearchTokenizer: Sendable {
  package typealias Word = ArraySlice<Unicode.Scalar>

  /// Maximum words of a search; further ones are ignored.
  private static let wordLimit = 16
  /// Maximum letters of a word; further ones are ignored.
  private static let letterLimit = 64

  /// Number of the folding, stored beside search indexes; an index with a lower one is renewed.
  ///
  /// A change of `String.folded` or of the words of a text raises it by 1, and renames the index of
  /// market files in a new script, so that a running program with the previous folding does not write
  /// to it.
  package let folding: Int64
  private let fold: @Sendable (String) -> String

  package init() {
    self.init(folding: 2) { $0.folded }
  }

  /// Creates a tokenizer with another folding.
  package init(folding: Int64, _ fold: @escaping @Sendable (String) -> String) {
    self.folding = folding
    self.fold = fold
  }

  /// Returns the words of a text in order.
  package func words(of text: String) -> [Word] {
    var letters: [Unicode.Scalar] = []
    var words: [Range<Int>] = []
    append(text, to: &letters, words: &words)
    return words.map { letters[$0] }
  }

  /// Appends the letters of a text to `letters`, and the ranges of its words to `words`.
  package func append(
    _ text: String, to letters: inout [Unicode.Scalar], words: inout [Range<Int>]
  ) {
    var start = letters.count
    var isAfterBlank = false
    let scalars = fold(text).unicodeScalars
    var next = scalars.startIndex
    while next < scalars.endIndex {
      let scalar = scalars[next]
      scalars.formIndex(after: &next)
      if Self.isSeparator(scalar) {
        isAfterBlank = true
        continue
      }
      if start < letters.count, let previous = letters.last {
        if isAfterBlank {
          if !SearchSpelling.joins(previous, scalar, before: scalars[next...]) {
            words.append(start..<letters.count)
            start = letters.count
          }
        } else if SearchSpelling.isConnector(scalar), next < scalars.endIndex,
          SearchSpelling.connects(previous, scalars[next])
        {
          continue
        }
      }
      isAfterBlank = false
      letters.append(scalar)
    }
    if start < letters.count { words.append(start..<letters.count) }
  }

  /// Returns the words of a text in order, separated by one space.
  package func line(of text: String) -> String { Self.line(of: words(of: text)) }

  package static func line(of words: [Word]) -> String {
    var line = ""
    for word in words {
      if !line.isEmpty { line.append(" ") }
      for letter in word { line.unicodeScalars.append(letter) }
    }
    return line
  }

  /// Returns the search terms of a query.
  package func wanted(by query: ProductQuery) -> SearchTerms {
    SearchTerms(
      words: wanted(by: query.text), phrases: runs(query.phrases), without: runs(query.without))
  }

  /// Returns the words of a search; each may occur anywhere.
  package func wanted(by text: String) -> [Word] {
    text.unicodeScalars.split(whereSeparator: Self.isSeparator).lazy
      .flatMap { words(of: String($0)) }.prefix(Self.wordLimit)
      .map { $0.prefix(Self.letterLimit) }
  }

  /// Returns the words of each phrase that has any.
  private func runs(_ texts: [String]) -> [SearchTerms.Phrase] {
    texts.prefix(Self.wordLimit).map { text in
      words(of: text).prefix(Self.wordLimit).map { $0.prefix(Self.letterLimit) }
    }.filter { !$0.isEmpty }
  }

  /// Whether nearly every text has pairs with this letter: Latin letters and digits.
  package static func isFrequent(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "0"..."9", "a"..."z", "A"..."Z": true
    default: false
    }
  }

  /// Whether the scalar is white space or a control character; the first cases avoid the property
  /// tables.
  private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x20, 0x7F: true
    case 0x21...0x7E, 0xAC00...0xD7A3: false
    default:
      scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
    }
  }
}

/// Search terms of a query; letters are compared after folding.
package struct SearchTerms: Hashable, Sendable {
  package typealias Word = SearchTokenizer.Word
  package typealias Phrase = [Word]

  /// Each must be part of a word, as `LetterPattern` matches.
  package let words: [Word]
  /// Each must occur within one text; any white space counts as one space.
  package let phrases: [Phrase]
  /// None may occur as a phrase.
  package let without: [Phrase]

  package var isEmpty: Bool { words.isEmpty && phrases.isEmpty && without.isEmpty }

  /// Whether texts match all terms, as in an index.
  package func areMet(by texts: [String], _ tokenizer: SearchTokenizer) -> Bool {
    let texts = SearchedTexts(texts, tokenizer)
    return texts.have(words: words) && phrases.allSatisfy { texts.have(phrase: $0) }
      && !without.contains { texts.have(phrase: $0) }
  }
}

/// Texts of a product or other entry, prepared for searching.
package struct SearchedTexts: Hashable, Sendable {
  private let texts: [[SearchTokenizer.Word]]

  package init(_ texts: [String], _ tokenizer: SearchTokenizer) {
    self.texts = texts.map(tokenizer.words(of:))
  }

  /// Whether each word is part of a word of these texts, as `LetterPattern` matches.
  package func have(words: [SearchTokenizer.Word]) -> Bool {
    words.map(LetterPattern.letters(of:)).allSatisfy { letters in
      texts.contains { $0.contains { letters.occur(in: $0) } }
    }
  }

  /// Whether a phrase occurs in one of the texts.
  package func have(phrase: SearchTerms.Phrase) -> Bool {
    let letters = phrase.joined(separator: [" "]).map(LetterPattern.exactly)
    return texts.contains { letters.occur(in: Array($0.joined(separator: [" "]))) }
  }
}
