internal import MarketModel

/// Completion of a word of the search line: its candidates, and the one that was inserted.
package struct SearchCompletion: Hashable, Sendable {
  /// Index of the word's first character.
  let start: Int
  /// Typed part of the word.
  let typed: String
  package private(set) var candidates: [String]
  /// Index of the inserted candidate; nil while the word is as typed.
  package private(set) var chosen: Int?

  init(start: Int, typed: String, candidates: [String]) {
    self.start = start
    self.typed = typed
    self.candidates = candidates
  }

  /// Selects the next candidate, cyclically, and returns its text; nil if there are none.
  mutating func move(by step: Int) -> String? {
    guard !candidates.isEmpty else { return nil }
    let begin = chosen ?? (step > 0 ? -1 : 0)
    let next = (begin + step + candidates.count) % candidates.count
    chosen = next
    return candidates[next]
  }

  /// Adds candidates that are not in the list.
  mutating func add(_ others: [String]) {
    candidates += others.filter { !candidates.contains($0) }
  }
}

/// Parsing of a search line that is being typed.
enum SearchText {
  /// Word before a caret position, from the last blank outside of quotes.
  static func word(before caret: Int, in text: String) -> (start: Int, text: String) {
    var start = 0
    var isQuoted = false
    let before = text.prefix(caret)
    for (position, character) in before.enumerated() {
      if character == "\"" { isQuoted.toggle() }
      if character.isWhitespace, !isQuoted { start = position + 1 }
    }
    return (start, String(before.dropFirst(start)))
  }

  /// The line without a keyword at the caret that is not complete: searching for `sort:pri` would
  /// find nothing.
  static func finished(_ text: String, caret: Int) -> String {
    let word = word(before: caret, in: text)
    let rest = text.dropFirst(caret)
    let tail = rest.prefix { !$0.isWhitespace }
    guard SearchKeyword.isBegun(by: word.text + tail) else { return text }
    return String(text.prefix(word.start)) + rest.dropFirst(tail.count)
  }

  /// Seller's name in a word that begins with `@`; nil for other words.
  static func sellerName(begunBy word: String) -> String? {
    guard word.first == "@" else { return nil }
    let name = word.dropFirst()
    guard name.first != "#" else { return nil }
    return String(name.first == "\"" ? name.dropFirst() : name)
  }

  /// Text behind a keyword, such as a market's name; nil for a word without the keyword.
  static func text(in word: String, behind meaning: SearchKeyword.Meaning) -> String? {
    let keyword = SearchKeyword.keyword(of: meaning)
    let spellings = SearchLanguage.allCases.flatMap { keyword?.spellings(in: $0) ?? [] }
    guard let spelling = spellings.first(where: word.lowercased().hasPrefix) else { return nil }
    let name = word.dropFirst(spelling.count)
    return String(name.first == "\"" ? name.dropFirst() : name)
  }

  /// Mention of a seller in a search line.
  static func mention(of name: String) -> String {
    SearchRequest(sellers: [.name(name)]).sellersText
  }
}
