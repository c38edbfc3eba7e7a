import MarketModel
import StoreCore

/// Tokens of a product, as `ProductGrams` describes them.
struct ProductTokens {
  private let tokenizer: SearchTokenizer
  /// The letters of all texts; `words` are ranges in it.
  private var letters: [Unicode.Scalar] = []
  private var words: [Range<Int>] = []
  private var initials = InitialTokens()
  private(set) var text = TokenText()

  init(_ tokenizer: SearchTokenizer) {
    self.tokenizer = tokenizer
  }

  /// Appends the tokens of a product except the last, that of its seller.
  mutating func append(name: String, description: String, sellerName: String) {
    for part in [name, description, sellerName] {
      let first = words.count
      tokenizer.append(part, to: &letters, words: &words)
      guard words.count > first else { continue }
      for word in words[first...] { appendPairs(of: word) }
      text.append(ProductGrams.textEnd)
      text.endToken()
    }
    appendLatin()
    for word in words { initials.append(letters[word], to: &text) }
    initials.end(&text)
  }

  private mutating func appendPairs(of word: Range<Int>) {
    var previous = ProductGrams.letter(for: letters[word.lowerBound])
    for position in word.dropFirst() {
      let letter = ProductGrams.letter(for: letters[position])
      text.append(previous)
      HangulTokens.append(second: letter, to: &text)
      text.endToken()
      previous = letter
    }
    text.append(previous)
    text.endToken()
  }

  private mutating func appendLatin() {
    // Frequent letters are all ASCII.
    var singles: (UInt64, UInt64) = (0, 0)
    for word in words {
      var start = word.lowerBound
      while start < word.upperBound {
        guard SearchTokenizer.isFrequent(letters[start]) else {
          start += 1
          continue
        }
        var end = start
        while end < word.upperBound, SearchTokenizer.isFrequent(letters[end]) {
          let value = UInt64(letters[end].value)
          if value < 64 { singles.0 |= 1 << value } else { singles.1 |= 1 << (value - 64) }
          end += 1
        }
        if end - start > 2 { append(run: start..<end) }
        start = end
      }
    }
    appendSingles(singles.0, from: 0)
    appendSingles(singles.1, from: 64)
  }

  private mutating func append(run: Range<Int>) {
    for start in run.dropLast() {
      for position in start..<min(start + 3, run.upperBound) { text.append(letters[position]) }
      text.endToken()
    }
  }

  private mutating func appendSingles(_ singles: UInt64, from first: Int) {
    for value in BitIterator(singles) {
      text.append(ProductGrams.singleMark)
      text.append(Unicode.Scalar(UInt8(first + value)))
      text.endToken()
    }
  }
}

/// The positions of the set bits, from the lowest up.
struct BitIterator: Sequence, IteratorProtocol {
  private var rest: UInt64

  init(_ bits: UInt64) {
    rest = bits
  }

  mutating func next() -> Int? {
    guard rest != 0 else { return nil }
    defer { rest &= rest - 1 }
    return rest.trailingZeroBitCount
  }
}
