import MarketModel
import SQLiteKit
import SafeTextKit

/// Search terms for favorites.
enum FavoriteSearchTerms {
  /// Maximum number of words in a search; further ones are ignored.
  static let maxWords = 8

  /// GLOB patterns for words, which match what `SearchedTexts.have(words:)` finds.
  static func patterns(of words: [String]) -> [String] {
    let tokenizer = SearchTokenizer()
    return words.prefix(maxWords).flatMap { word in
      tokenizer.wanted(by: word.prefix(bytes: PersonalFile.maxTextLength)).map { word in
        "*" + LetterPattern.letters(of: word).map(pattern(of:)).joined() + "*"
      }
    }
  }

  private static func pattern(of letter: LetterPattern) -> String {
    if let syllables = letter.syllables {
      return "[\(letter.alone)\(syllables.lowerBound)-\(syllables.upperBound)]"
    }
    let hasMeaning = "*?[".unicodeScalars.contains(letter.alone)
    return hasMeaning ? "[\(letter.alone)]" : String(letter.alone)
  }

  /// Texts in the folded form in which words are searched.
  static func lines(of texts: [String]) -> String {
    texts.map(SearchTokenizer().line(of:)).joined(separator: "\n")
  }

  /// Rebuilds all folded texts, for a file with an older folding.
  static func renew(over connection: SQLiteConnection) throws(StoreError) {
    try renew(
      "favorite_product",
      texts: [
        "words": ["name", "seller_name"], "note_words": ["note"],
        "description_words": ["description"],
      ], over: connection)
    try renew(
      "favorite_seller", texts: ["words": ["name"], "note_words": ["note"]], over: connection)
  }

  private static func renew(
    _ table: String, texts: [String: [String]], over connection: SQLiteConnection
  ) throws(StoreError) {
    let ids = try connection.all("SELECT id FROM \(table)") { row in row.integer(0) }
    for (column, sources) in texts {
      for id in ids {
        let texts = try connection.first(
          "SELECT \(sources.joined(separator: ", ")) FROM \(table) WHERE id = ? AND \(sources[0]) <> ''",
          [.integer(id)]
        ) { row in
          sources.indices.map {
            row.text(Int32($0), atMost: PersonalFile.maxDescriptionLength)
          }
        }
        guard let texts else { continue }
        try connection.run(
          "UPDATE \(table) SET \(column) = ? WHERE id = ?", .text(lines(of: texts)), .integer(id))
      }
    }
  }

  /// SQL condition that each of `count` patterns matches one of the columns.
  static func condition(count: Int, columns: [String]) -> String {
    (0..<count).map { index in
      " AND (" + columns.map { "\($0) GLOB ?\(index + 1)" }.joined(separator: " OR ") + ")"
    }.joined()
  }
}
