import MarketModel
import SafeTextKit

extension SearchTokenizer {
  /// Tokenizer of a version to come, whose folding makes `c` and `k` one letter.
  package static let later = SearchTokenizer(folding: SearchTokenizer().folding + 1) { text in
    text.folded.replacing("c", with: "k")
  }
}
