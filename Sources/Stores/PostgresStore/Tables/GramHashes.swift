import MarketModel
import StoreCore

/// Hashes of letter n-grams by which the index finds words.
///
/// A word has each of its letters, each pair and, for Latin letters and digits, each trigram: pairs of
/// those are in nearly every text. Hangul syllables also have their initial consonants, alone and in runs
/// of two and three, and their incomplete forms while they are typed, alone and after the preceding
/// letter. Each index match is compared with the word itself, so hashes may collide.
enum GramHashes {
  /// Control characters, which no word contains; they prefix runs of other kinds.
  private static let initialsMark: Unicode.Scalar = "\u{1}"
  private static let openedMark: Unicode.Scalar = "\u{2}"

  /// The hashes by which a product with these words is indexed: sorted, each once.
  static func all(in words: [ArraySlice<Unicode.Scalar>]) -> [Int32] {
    var hashes: [Int32] = []
    for word in words {
      for start in word.indices {
        let rest = word[start...]
        hashes.append(hash(of: rest.prefix(1)))
        if rest.count > 1 { hashes.append(hash(of: rest.prefix(2))) }
        if rest.count > 2, rest.prefix(3).allSatisfy(SearchTokenizer.isFrequent) {
          hashes.append(hash(of: rest.prefix(3)))
        }
        addParts(at: start, of: word, to: &hashes)
      }
    }
    // Faster than a set.
    hashes.sort()
    return hashes.indices.compactMap { index in
      index > 0 && hashes[index] == hashes[index - 1] ? nil : hashes[index]
    }
  }

  /// Adds the hashes of the syllable at a position, and of its parts.
  private static func addParts(
    at position: Int, of word: ArraySlice<Unicode.Scalar>, to hashes: inout [Int32]
  ) {
    guard let initial = Hangul.initial(of: word[position]) else { return }
    var run = [initialsMark]
    for letter in word[position...].prefix(3) {
      guard let initial = Hangul.initial(of: letter) else { break }
      run.append(Hangul.initials[initial])
      hashes.append(hash(of: run))
    }
    let before = position > word.startIndex ? word[position - 1] : nil
    if let before {
      hashes.append(hash(of: [openedMark, before, Hangul.initials[initial]]))
    }
    guard let opened = Hangul.parts(of: word[position])?.opened else { return }
    hashes.append(hash(of: [openedMark, opened]))
    if let before { hashes.append(hash(of: [openedMark, before, opened])) }
  }

  /// The hashes that every product with a searched word has: so many that any two neighbouring letters are in
  /// one, as where two frequent words meet in a rare one.
  ///
  /// Others would be in nearly the same products, and the index goes through a list for each.
  static func wanted(by word: [LetterPattern]) -> [Int32] {
    let letters = word.map(\.alone)
    guard let last = word.last, last.syllables != nil else { return wanted(exactly: letters[...]) }
    guard word.contains(where: { $0.syllables == nil }) else {
      guard case .beginning = last else { return [hash(of: [openedMark, last.alone])] }
      return runs(of: letters[...], size: 3).map { hash(of: [initialsMark] + $0) }
    }
    let before = letters.dropLast()
    return (before.count > 1 ? wanted(exactly: before) : [])
      + [hash(of: [openedMark] + letters.suffix(2))]
  }

  private static func wanted(exactly word: ArraySlice<Unicode.Scalar>) -> [Int32] {
    let isFrequent = word.allSatisfy(SearchTokenizer.isFrequent)
    return runs(of: word, size: isFrequent ? 3 : 2).map(hash(of:))
  }

  /// Runs of `size` letters, in which any two neighbouring letters of a word are; a shorter word is one.
  private static func runs(
    of word: ArraySlice<Unicode.Scalar>, size: Int
  ) -> [ArraySlice<Unicode.Scalar>] {
    let last = max(word.startIndex, word.endIndex - size)
    return (Array(stride(from: word.startIndex, to: last, by: max(1, size - 1))) + [last]).map {
      word[$0...].prefix(size)
    }
  }

  /// FNV-1a over the scalars' bytes.
  private static func hash(of letters: some Sequence<Unicode.Scalar>) -> Int32 {
    var hash: UInt32 = 2_166_136_261
    for letter in letters {
      for shift in [0, 8, 16] as [UInt32] {
        hash = (hash ^ (letter.value >> shift & 0xFF)) &* 16_777_619
      }
    }
    return Int32(bitPattern: hash)
  }
}

extension IndexText {
  /// The hashes as an array literal.
  var gramsText: String {
    var text = "{"
    for gram in grams {
      text.append(String(gram))
      text.append(",")
    }
    if !grams.isEmpty { text.removeLast() }
    return text + "}"
  }

  /// Each text becomes a line, which ends phrases.
  init(_ texts: [String], _ source: SearchTokenizer) {
    let words = texts.map(source.words(of:))
    let lines = words.map(SearchTokenizer.line(of:)).filter { !$0.isEmpty }
    self.init(
      words: lines.joined(separator: "\n"), grams: GramHashes.all(in: Array(words.joined())))
  }
}
