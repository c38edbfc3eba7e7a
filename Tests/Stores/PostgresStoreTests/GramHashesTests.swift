import Expectations
import MarketModel
import StoreCore
import TestSupport
import Testing

@testable import PostgresStore

struct GramHashesTests {
  @Test(arguments: [
    ("m", 1), ("mug", 1), ("lamp", 2), ("sunhat", 3), ("bicycle", 3), ("거", 1), ("중고판매", 3),
    ("ㅈㅈㄱ", 1), ("ㅋㅂㄷㅈ", 2),
  ])
  func `the index is asked for no more than holds each two letters of a word`(
    word: String, count: Int
  ) {
    let pattern = LetterPattern.letters(of: Array(word.unicodeScalars))

    expect(GramHashes.wanted(by: pattern).count, count)
  }

  @Test func `a product has the hashes that each part of its words is searched by`() {
    let words = ["bicycle", "자전거", "x-100", "a", "무선이어폰"].map { Array($0.unicodeScalars) }

    for word in words {
      let hashes = Set(GramHashes.all(in: [word[...]]))
      for start in word.indices {
        for end in start + 1...word.count {
          let wanted = GramHashes.wanted(by: word[start..<end].map(LetterPattern.exactly))
          #expect(!wanted.isEmpty && hashes.isSuperset(of: wanted), "\(word[start..<end])")
        }
      }
    }
  }
}
