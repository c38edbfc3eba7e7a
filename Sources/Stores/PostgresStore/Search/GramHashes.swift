import StoreCore

/// Hashes of the short runs of letters by which the index finds words.
///
/// A word has each of its letters, each pair and, where they are Latin letters or digits, each run
/// of three: pairs of those are in nearly every text. Whatever the index finds by these is compared
/// with the word itself, so two runs may share a hash.
enum GramHashes {
  /// What a product with these words is indexed by: sorted, each once.
  static func all(in words: [ArraySlice<Unicode.Scalar>]) -> [Int32] {
    var hashes = Set<Int32>()
    for word in words {
      for start in word.indices {
        let rest = word[start...]
        hashes.insert(hash(of: rest.prefix(1)))
        if rest.count > 1 { hashes.insert(hash(of: rest.prefix(2))) }
        if rest.count > 2, rest.prefix(3).allSatisfy(SearchTokenizer.isFrequent) {
          hashes.insert(hash(of: rest.prefix(3)))
        }
      }
    }
    return hashes.sorted()
  }

  /// What all products with this word are indexed by: the rarest runs it has.
  static func wanted(by word: ArraySlice<Unicode.Scalar>) -> [Int32] {
    let isFrequent = word.allSatisfy(SearchTokenizer.isFrequent)
    let size = min(word.count, isFrequent ? 3 : 2)
    let hashes = word.indices.dropLast(size - 1).map { hash(of: word[$0...].prefix(size)) }
    return Set(hashes).sorted()
  }

  /// FNV-1a over the scalars' bytes.
  private static func hash(of letters: ArraySlice<Unicode.Scalar>) -> Int32 {
    var hash: UInt32 = 2_166_136_261
    for letter in letters {
      for shift in [0, 8, 16] as [UInt32] {
        hash = (hash ^ (letter.value >> shift & 0xFF)) &* 16_777_619
      }
    }
    return Int32(bitPattern: hash)
  }
}
