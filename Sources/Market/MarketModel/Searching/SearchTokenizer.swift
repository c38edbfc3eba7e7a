internal import SafeTextKit

/// The law of searches, in stores and wherever else texts are looked through: the words of texts and of
/// searches as they are compared, a run of letters each.
///
/// A letter is a Unicode scalar after folding (`String.folded`). Blanks between syllables of Hangul have no weight: what
/// they part is one word of a text. Whatever the index: a search finds the products that have each of
/// its words as a part of one of theirs.
package struct SearchTokenizer: Sendable {
  package typealias Word = ArraySlice<Unicode.Scalar>

  /// More words than these are looked for as if they had not been typed.
  private static let wordLimit = 16
  /// A longer word is looked for by its first letters.
  private static let letterLimit = 64

  private var isFormer = false
  private var joinsSyllables = true

  package init() {}

  /// The words as programs compared them before version 11 of the tables of a file, and 12 of a
  /// database: in normalization form C, with all blanks.
  package var former: SearchTokenizer {
    var former = parting
    former.isFormer = true
    return former
  }

  /// The words where all blanks part them.
  package var parting: SearchTokenizer {
    var parting = self
    parting.joinsSyllables = false
    return parting
  }

  /// The words of a text in order.
  package func words(of text: String) -> [Word] {
    var letters: [Unicode.Scalar] = []
    var words: [Range<Int>] = []
    append(text, to: &letters, words: &words)
    return words.map { letters[$0] }
  }

  /// Appends the letters of a text, and where its words are among them.
  package func append(
    _ text: String, to letters: inout [Unicode.Scalar], words: inout [Range<Int>]
  ) {
    var start = letters.count
    var isAfterBlank = false
    for scalar in (isFormer ? text.caseFolded : text.folded).unicodeScalars {
      if Self.isSeparator(scalar) {
        isAfterBlank = true
        continue
      }
      if isAfterBlank, start < letters.count,
        !joinsSyllables || !Hangul.isSyllable(letters[letters.count - 1])
          || !Hangul.isSyllable(scalar)
      {
        words.append(start..<letters.count)
        start = letters.count
      }
      isAfterBlank = false
      letters.append(scalar)
    }
    if start < letters.count { words.append(start..<letters.count) }
  }

  /// The words of a text in order, with one blank between two.
  package func line(of text: String) -> String { Self.line(of: words(of: text)) }

  package static func line(of words: [Word]) -> String {
    String(String.UnicodeScalarView(words.joined(separator: [" "])))
  }

  /// What a query asks of texts.
  package func wanted(by query: ProductQuery) -> SearchTerms {
    SearchTerms(
      words: wanted(by: query.text), phrases: runs(query.phrases), without: runs(query.without))
  }

  /// The words that a search asks for, as they were typed: each may be anywhere.
  package func wanted(by text: String) -> [Word] {
    text.unicodeScalars.split(whereSeparator: Self.isSeparator).lazy
      .flatMap { words(of: String($0)) }.prefix(Self.wordLimit)
      .map { $0.prefix(Self.letterLimit) }
  }

  /// The words of each text that has any.
  private func runs(_ texts: [String]) -> [SearchTerms.Phrase] {
    texts.prefix(Self.wordLimit).map { text in
      words(of: text).prefix(Self.wordLimit).map { $0.prefix(Self.letterLimit) }
    }.filter { !$0.isEmpty }
  }

  /// Whether pairs with this letter are in nearly every text: Latin letters and digits.
  package static func isFrequent(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "0"..."9", "a"..."z", "A"..."Z": true
    default: false
    }
  }

  /// White space and control characters; most scalars are told without their tables.
  private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x20, 0x7F: true
    case 0x21...0x7E, 0xAC00...0xD7A3: false
    default:
      scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
    }
  }
}

/// What a query asks of a product's texts; letters are compared after folding.
package struct SearchTerms: Hashable, Sendable {
  package typealias Word = SearchTokenizer.Word
  package typealias Phrase = [Word]

  /// Each must be a part of a word, in the sense of `LetterPattern`.
  package let words: [Word]
  /// Each must occur as it stands, within one text; any white space counts as one blank.
  package let phrases: [Phrase]
  /// None may occur so.
  package let without: [Phrase]

  package var isEmpty: Bool { words.isEmpty && phrases.isEmpty && without.isEmpty }

  /// Whether texts have all of it, as an index would say.
  package func areMet(by texts: [String], _ tokenizer: SearchTokenizer) -> Bool {
    let texts = SearchedTexts(texts, tokenizer)
    return texts.have(words: words) && phrases.allSatisfy { texts.have(phrase: $0) }
      && !without.contains { texts.have(phrase: $0) }
  }
}

/// Texts of a product, or of anything else that words are looked for in.
package struct SearchedTexts: Hashable, Sendable {
  private let texts: [[SearchTokenizer.Word]]

  package init(_ texts: [String], _ tokenizer: SearchTokenizer) {
    self.texts = texts.map(tokenizer.words(of:))
  }

  /// Whether each of the words is a part of one of theirs, in the sense of `LetterPattern`.
  package func have(words: [SearchTokenizer.Word]) -> Bool {
    words.map(LetterPattern.letters(of:)).allSatisfy { letters in
      texts.contains { $0.contains { letters.occur(in: $0) } }
    }
  }

  /// Whether a phrase occurs in one of them.
  package func have(phrase: SearchTerms.Phrase) -> Bool {
    let letters = phrase.joined(separator: [" "]).map(LetterPattern.exactly)
    return texts.contains { letters.occur(in: Array($0.joined(separator: [" "]))) }
  }
}
