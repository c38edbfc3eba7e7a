import MarketModel
import StoreCore

/// What is looked for: words, each of which must be a part of a product's words.
struct WordSearch: Sendable {
  /// Each once, sorted, so that one search is always the same.
  let words: [String]
  let grams: [Int32]

  /// Nil where a text has no words.
  init?(_ text: String, tokenizer source: SearchTokenizer) {
    let wanted = source.wanted(by: text)
    guard !wanted.isEmpty else { return nil }
    words = Set(wanted.map { String(String.UnicodeScalarView($0)) }).sorted()
    grams = Set(wanted.flatMap(GramHashes.wanted)).sorted()
  }

  /// The condition on a row of `product_search`.
  ///
  /// - Parameters:
  ///   - usesIndex: false where so many products match that going through them is faster.
  ///   - parameters: what the condition's values are added to.
  /// - Returns: the condition.
  func condition(usesIndex: Bool, _ parameters: inout StatementParameters) -> String {
    var parts: [String] = []
    if usesIndex { parts.append("grams @> \(parameters.add(.hashes(grams)))") }
    // A word of one or two letters that the index has as it is needs no comparing, but for hashes
    // that two runs share.
    parts += words.map { "strpos(words, \(parameters.add(.text($0)))) > 0" }
    return parts.joined(separator: " AND ")
  }
}

/// A product's words as `product_search` keeps them.
package struct SearchableText: Hashable, Sendable {
  let words: String
  let grams: [Int32]

  init(_ detail: ProductDetail, tokenizer source: SearchTokenizer) {
    self.init(
      [detail.product.name, detail.description, detail.product.seller.name], tokenizer: source)
  }

  init(_ texts: [String], tokenizer source: SearchTokenizer) {
    let all = texts.flatMap(source.words(of:))
    words = all.map { String(String.UnicodeScalarView($0)) }.joined(separator: " ")
    grams = GramHashes.all(in: all)
  }
}
