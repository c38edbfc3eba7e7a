import MarketModel
import StoreCore

/// Hashes of the short runs of letters by which the index finds words.
///
/// A word has each of its letters, each pair and, where they are Latin letters or digits, each run
/// of three: pairs of those are in nearly every text. Of syllables it has the first consonants, alone
/// and as runs of two and three, and what a person has typed before a syllable is complete, alone and
/// after the letter before. Whatever the index finds by these is compared with the word itself, so two
/// runs may share a hash.
enum GramHashes {
  /// The hash that says that the others tell of the parts of syllables, too.
  private static let complete: Int32 = 1_296_386_895

  /// The hash that says that the words and the others are those of today and of servers before
  /// (`SearchTokenizer.former`).
  private static let folded: Int32 = 1_296_388_181

  /// The condition on rows of `product_search` that a server of an older version has written, as
  /// their index has it.
  static let isIncomplete = "NOT grams @> '{\(complete)}'::integer[]"

  /// The same of servers that folded texts in another way: of ASCII alone the grave accent.
  static let isUnfolded = """
    NOT grams @> '{\(folded)}'::integer[] AND (\(isIncomplete)
      OR octet_length(words) <> length(words) OR strpos(words, '`') > 0)
    """

  /// Letters that no word has, since they part words; runs of other kinds begin with them.
  private static let initialsMark: Unicode.Scalar = "\u{1}"
  private static let openedMark: Unicode.Scalar = "\u{2}"

  /// The hashes that a product with these words is indexed by: sorted, each once.
  static func all(in words: [ArraySlice<Unicode.Scalar>]) -> [Int32] {
    var hashes: Set<Int32> = [complete, folded]
    for word in words {
      for start in word.indices {
        let rest = word[start...]
        hashes.insert(hash(of: rest.prefix(1)))
        if rest.count > 1 { hashes.insert(hash(of: rest.prefix(2))) }
        if rest.count > 2, rest.prefix(3).allSatisfy(SearchTokenizer.isFrequent) {
          hashes.insert(hash(of: rest.prefix(3)))
        }
        addParts(at: start, of: word, to: &hashes)
      }
    }
    return hashes.sorted()
  }

  /// Adds what there is of the syllable at a place.
  private static func addParts(
    at position: Int, of word: ArraySlice<Unicode.Scalar>, to hashes: inout Set<Int32>
  ) {
    guard let initial = Hangul.initial(of: word[position]) else { return }
    var run = [initialsMark]
    for letter in word[position...].prefix(3) {
      guard let initial = Hangul.initial(of: letter) else { break }
      run.append(Hangul.initials[initial])
      hashes.insert(hash(of: run))
    }
    let before = position > word.startIndex ? word[position - 1] : nil
    if let before {
      hashes.insert(hash(of: [openedMark, before, Hangul.initials[initial]]))
    }
    guard let opened = Hangul.parts(of: word[position])?.opened else { return }
    hashes.insert(hash(of: [openedMark, opened]))
    if let before { hashes.insert(hash(of: [openedMark, before, opened])) }
  }

  /// The hashes that all products with a word that is looked for are indexed by: its rarest runs.
  static func wanted(by word: [LetterPattern]) -> [Int32] {
    let letters = word.map(\.alone)
    guard let last = word.last, last.syllables != nil else { return wanted(exactly: letters[...]) }
    guard word.contains(where: { $0.syllables == nil }) else {
      guard case .beginning = last else { return [hash(of: [openedMark, last.alone])] }
      let size = min(letters.count, 3)
      return letters.indices.dropLast(size - 1).map {
        hash(of: [initialsMark] + letters[$0...].prefix(size))
      }
    }
    let before = letters.dropLast()
    return (before.count > 1 ? wanted(exactly: before) : [])
      + [hash(of: [openedMark] + letters.suffix(2))]
  }

  private static func wanted(exactly word: ArraySlice<Unicode.Scalar>) -> [Int32] {
    let isFrequent = word.allSatisfy(SearchTokenizer.isFrequent)
    let size = min(word.count, isFrequent ? 3 : 2)
    return word.indices.dropLast(size - 1).map { hash(of: word[$0...].prefix(size)) }
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
  /// The hashes in the text form of an array.
  var gramsText: String { "{\(grams.map(String.init).joined(separator: ","))}" }

  /// Each text is a line, and where servers before look for other words in it, these are another one.
  init(_ texts: [String], _ source: SearchTokenizer) {
    let former = source.former
    var lines: [String] = []
    var all: [SearchTokenizer.Word] = []
    for text in texts {
      let (words, formerWords) = (source.words(of: text), former.words(of: text))
      all += words
      lines.append(Self.line(of: words))
      guard words != formerWords else { continue }
      lines.append(Self.line(of: formerWords))
      // Without the blanks all their runs are in the line above.
      if source.parting.words(of: text) != formerWords { all += formerWords }
    }
    // No run of words crosses two lines.
    self.init(
      words: lines.filter { !$0.isEmpty }.joined(separator: "\n"), grams: GramHashes.all(in: all))
  }

  private static func line(of words: [SearchTokenizer.Word]) -> String {
    words.map { String(String.UnicodeScalarView($0)) }.joined(separator: " ")
  }
}
