import MarketModel

/// The words of texts and of searches, as they are compared: folded, a run of letters each.
///
/// A letter is a Unicode scalar after folding. Whatever the index: a search finds the products
/// that have each of its words as a part of one of theirs.
package struct SearchTokenizer: Sendable {
  /// More words than these are looked for as if they had not been typed.
  private static let wordLimit = 16
  /// A longer word is looked for by its first letters.
  private static let letterLimit = 64

  package let fold: TextFolding

  package init(fold: @escaping TextFolding) {
    self.fold = fold
  }

  /// The words of a text in order.
  package func words(of text: String) -> [ArraySlice<Unicode.Scalar>] {
    Array(fold(text).unicodeScalars).split(whereSeparator: Self.isSeparator)
  }

  /// Appends the letters of a text, and where its words are among them.
  package func append(
    _ text: String, to letters: inout [Unicode.Scalar], words: inout [Range<Int>]
  ) {
    var start = letters.count
    for scalar in fold(text).unicodeScalars {
      if Self.isSeparator(scalar) {
        if letters.count > start { words.append(start..<letters.count) }
        start = letters.count
      } else {
        letters.append(scalar)
      }
    }
    if letters.count > start { words.append(start..<letters.count) }
  }

  /// What a query asks of texts.
  package func wanted(by query: ProductQuery) -> WantedTexts {
    WantedTexts(
      words: wanted(by: query.text), phrases: runs(query.phrases), without: runs(query.without))
  }

  /// The words that a search asks for.
  private func wanted(by text: String) -> [ArraySlice<Unicode.Scalar>] {
    words(of: text).prefix(Self.wordLimit).map { $0.prefix(Self.letterLimit) }
  }

  /// The words of each text that has any.
  private func runs(_ texts: [String]) -> [WantedTexts.Phrase] {
    texts.prefix(Self.wordLimit).map(wanted).filter { !$0.isEmpty }
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
package struct WantedTexts: Hashable, Sendable {
  package typealias Word = ArraySlice<Unicode.Scalar>
  package typealias Phrase = [Word]

  /// Each must be a part of a word, in the sense of `WantedLetter`.
  package let words: [Word]
  /// Each must occur as it stands, within one text; any white space counts as one blank.
  package let phrases: [Phrase]
  /// None may occur so.
  package let without: [Phrase]

  package var isEmpty: Bool { words.isEmpty && phrases.isEmpty && without.isEmpty }

  /// Whether texts have all of it, as an index would say.
  package func areMet(by texts: [String], _ tokenizer: SearchTokenizer) -> Bool {
    let texts = texts.map(tokenizer.words(of:))
    let runs = texts.map { Array($0.joined(separator: [" "])) }
    return words.map(WantedLetter.letters(of:)).allSatisfy { letters in
      texts.contains { $0.contains { letters.occur(in: $0) } }
    }
      && phrases.allSatisfy { phrase in runs.contains { Self.occurs(phrase, in: $0) } }
      && !without.contains { phrase in runs.contains { Self.occurs(phrase, in: $0) } }
  }

  private static func occurs(_ phrase: Phrase, in run: [Unicode.Scalar]) -> Bool {
    phrase.joined(separator: [" "]).map(WantedLetter.exactly).occur(in: run)
  }
}
