internal import MarketModel

/// What a word of the search line may become, and which of that stands there.
package struct SearchCompletion: Hashable, Sendable {
  /// Where the word begins, in characters.
  let start: Int
  /// What was typed of it.
  let typed: String
  package private(set) var candidates: [String]
  /// The index of what stands in the line; nil while the word is as it was typed.
  package private(set) var chosen: Int?

  init(start: Int, typed: String, candidates: [String]) {
    self.start = start
    self.typed = typed
    self.candidates = candidates
  }

  /// Goes on among the candidates, from the last to the first; answers with the text.
  mutating func move(by step: Int) -> String? {
    guard !candidates.isEmpty else { return nil }
    let begin = chosen ?? (step > 0 ? -1 : 0)
    let next = (begin + step + candidates.count) % candidates.count
    chosen = next
    return candidates[next]
  }

  /// Adds what is not there yet.
  mutating func add(_ others: [String]) {
    candidates += others.filter { !candidates.contains($0) }
  }
}

/// The words of a search line as one types them.
enum SearchText {
  /// The word before a place, from the last blank outside of quotes on.
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

  /// The line without the word at the caret, where that is a keyword of which the rest is missing:
  /// looking for `sort:che` while it is typed would find nothing.
  static func finished(_ text: String, caret: Int) -> String {
    let word = word(before: caret, in: text)
    let rest = text.dropFirst(caret)
    let tail = rest.prefix { !$0.isWhitespace }
    guard SearchKeyword.isBegun(by: word.text + tail) else { return text }
    return String(text.prefix(word.start)) + rest.dropFirst(tail.count)
  }

  /// The part of a seller's name that a word has; nil for a word that names none.
  static func sellerName(begunBy word: String) -> String? {
    guard word.first == "@" else { return nil }
    let name = word.dropFirst()
    guard name.first != "#" else { return nil }
    return String(name.first == "\"" ? name.dropFirst() : name)
  }

  /// The part that a word has of the name that follows a keyword, such as a market's; nil for a word that
  /// names none.
  static func text(in word: String, behind meaning: SearchKeyword.Meaning) -> String? {
    let keyword = SearchKeyword.keyword(of: meaning)
    let spellings = SearchLanguage.allCases.flatMap { keyword?.spellings(in: $0) ?? [] }
    guard let spelling = spellings.first(where: word.lowercased().hasPrefix) else { return nil }
    let name = word.dropFirst(spelling.count)
    return String(name.first == "\"" ? name.dropFirst() : name)
  }

  /// A seller as the line names one.
  static func mention(of name: String) -> String {
    SearchRequest(sellers: [.name(name)]).sellersText
  }
}
