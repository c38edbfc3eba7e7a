import Expectations
import MarketModel
import StoreCore
import TestSupport
import Testing

@testable import MarketStore

/// The tokens of products, beside those that are made the plain way, list by list.
struct ProductTokensTests {
  private let grams = ProductGrams(SearchTokenizer())

  private static let letters = Array(
    "abcXYZ019 .,+-!  가각갂힣전거벗ㄱㄴㅏ漢字典éÜß👍🏽\u{301}\u{E000}\u{E0FF}\u{FF21}".unicodeScalars)

  /// Pairs of letters, then runs of three Latin ones and each once, then consonants, as the type's
  /// comment says it.
  private func plainTokens(_ texts: [String]) -> String {
    let words = texts.map(grams.tokenizer.words(of:))
    var tokens = TokenText()
    func add(_ letters: some Sequence<Unicode.Scalar>) {
      for letter in letters { tokens.append(letter) }
      tokens.endToken()
    }
    for words in words where !words.isEmpty {
      for word in words.map({ $0.map(ProductGrams.letter(for:)) }) {
        for (first, second) in zip(word, word.dropFirst()) {
          tokens.append(first)
          HangulTokens.append(second: second, to: &tokens)
          tokens.endToken()
        }
        add(word.suffix(1))
      }
      add([ProductGrams.textEnd])
    }
    let runs = words.joined().flatMap { $0.split { !SearchTokenizer.isFrequent($0) } }
    for run in runs.map(Array.init) where run.count > 2 {
      for start in run.indices.dropLast() { add(run[start...].prefix(3)) }
    }
    for single in Set(runs.joined()).sorted() { add([ProductGrams.singleMark, single]) }
    var initials = InitialTokens()
    for word in words.joined() { initials.append(word, to: &tokens) }
    initials.end(&tokens)
    return tokens.text
  }

  @Test func `all texts have the tokens that the plain way gives`() {
    var random = SeededRandom(seed: 7)
    for _ in 0..<500 {
      let texts = (0..<3).map { _ in
        let letters = (0..<Int.random(in: 0...24, using: &random)).map { _ in
          Self.letters.randomElement(using: &random) ?? "a"
        }
        return String(String.UnicodeScalarView(letters))
      }

      let tokens = grams.text(texts[0], texts[1], texts[2]).words

      expect(tokens, plainTokens(texts))
    }
  }
}
