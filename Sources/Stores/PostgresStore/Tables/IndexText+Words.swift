import MarketModel
import StoreCore

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
