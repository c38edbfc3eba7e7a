import TextCoding

/// A path that was typed, and what it is as a pattern where it is one.
package nonisolated struct PathWord: Hashable, Sendable {
  package let path: String
  /// With a backslash before what was quoted (glob(7)); nil for a path without `*`, `?` and `[`.
  package let pattern: String?
}

/// The paths in a text that was typed, pasted or dropped on the terminal.
///
/// Words are divided by white space; quotes and backslashes keep it, as in a shell, `~` is the home
/// folder, `*`, `?` and `[ab]` match names, and `file://` addresses are decoded (RFC 8089).
package nonisolated enum PathWords {
  /// Longer texts are no paths, and more words than these name too many files.
  static let (maxLength, maxCount) = (16_384, 64)

  package static func paths(in text: String, home: String) -> [PathWord] {
    words(in: text).map { word in
      let isPattern = word.isPattern && !word.text.hasPrefix("file://")
      let pattern = isPattern ? path(word.pattern, home: quoted(home)) : nil
      return PathWord(path: path(word.text, home: home), pattern: pattern)
    }
  }

  /// Where the last word begins, in characters; that is what completion completes.
  package static func startOfLastWord(in text: String) -> Int {
    var start = 0
    scan(text) { index, character, _ in
      if character == nil { start = index + 1 }
    }
    return start
  }

  /// A path as it is to be written so that it reads as one word, and as no pattern.
  package static func escaped(_ path: String) -> String {
    path.reduce(into: "") { text, character in
      if character.isWhitespace || "\"'\\*?[".contains(character) { text.append("\\") }
      text.append(character)
    }
  }

  /// A path as a pattern that matches it alone.
  private static func quoted(_ path: String) -> String {
    path.reduce(into: "") { text, character in
      if isSpecial(character) { text.append("\\") }
      text.append(character)
    }
  }

  private static func isSpecial(_ character: Character) -> Bool { "*?[]\\".contains(character) }

  private struct Word {
    var text = ""
    /// The same with backslashes before what was quoted.
    var pattern = ""
    var isPattern = false
  }

  /// The words as they are meant, without their quotes.
  static func texts(in text: String) -> [String] { words(in: text).map(\.text) }

  private static func words(in text: String) -> [Word] {
    var words = [Word()]
    scan(text) { _, character, isQuoted in
      guard let character else { return words.append(Word()) }
      let last = words.count - 1
      words[last].text.append(character)
      if isQuoted, isSpecial(character) { words[last].pattern.append("\\") }
      words[last].pattern.append(character)
      if !isQuoted, "*?[".contains(character) { words[last].isPattern = true }
    }
    return words.filter { !$0.text.isEmpty }
  }

  static func path(_ word: String, home: String) -> String {
    if word.hasPrefix("file://") {
      let rest = word.dropFirst("file://".count)
      return PercentCoding.decode(rest.hasPrefix("/") ? rest : rest.drop { $0 != "/" })
    }
    if word == "~" { return home }
    return word.hasPrefix("~/") ? home + word.dropFirst() : word
  }

  /// Walks through a text: characters of words as they are meant, nil for what divides words,
  /// and whether they were quoted.
  private static func scan(_ text: String, _ body: (Int, Character?, Bool) -> Void) {
    var quote: Character?
    var isEscaped = false
    for (index, character) in text.enumerated() {
      if isEscaped {
        isEscaped = false
        body(index, character, true)
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil } else { body(index, character, true) }
      } else if character == "'" || character == "\"" {
        quote = character
      } else {
        body(index, character.isWhitespace ? nil : character, false)
      }
    }
  }
}
