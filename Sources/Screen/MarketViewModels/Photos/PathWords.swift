import TextCoding

/// Typed path, and its pattern if it contains wildcards.
package nonisolated struct PathWord: Hashable, Sendable {
  package let path: String
  /// Pattern with quoted characters escaped (glob(7)); nil for a path without `*`, `?` and `[`.
  package let pattern: String?
}

/// Reading of paths in typed, pasted or dropped text.
///
/// Words are separated by white space. Quotes and backslashes work as in a shell, `~` is the home
/// folder, `*`, `?` and `[ab]` are wildcards, and `file://` URLs are decoded (RFC 8089).
package nonisolated enum PathWords {
  /// Maximum characters of a text and maximum number of paths; the rest is ignored.
  static let (maxLength, maxCount) = (16_384, 64)

  package static func paths(in text: String, home: String) -> [PathWord] {
    words(in: text).map { word in
      let isPattern = word.isPattern && !word.text.hasPrefix("file://")
      let pattern = isPattern ? path(word.pattern, home: quoted(home)) : nil
      return PathWord(path: path(word.text, home: home), pattern: pattern)
    }
  }

  /// Index of the last word's first character; completion completes that word.
  package static func startOfLastWord(in text: String) -> Int {
    var start = 0
    scan(text) { index, character, _ in
      if character == nil { start = index + 1 }
    }
    return start
  }

  /// Path with white space, quotes and wildcards escaped, so that it reads as one word.
  package static func escaped(_ path: String) -> String {
    path.reduce(into: "") { text, character in
      if character.isWhitespace || "\"'\\*?[".contains(character) { text.append("\\") }
      text.append(character)
    }
  }

  /// Pattern that matches only the path.
  private static func quoted(_ path: String) -> String {
    path.reduce(into: "") { text, character in
      if isSpecial(character) { text.append("\\") }
      text.append(character)
    }
  }

  private static func isSpecial(_ character: Character) -> Bool { "*?[]\\".contains(character) }

  private struct Word {
    var text = ""
    /// Text with quoted wildcards escaped.
    var pattern = ""
    var isPattern = false
  }

  /// Words without their quotes.
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

  /// Calls `body` with each character's index, with the character, nil for a separator, and whether
  /// it is quoted.
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
