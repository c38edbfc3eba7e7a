import TextCoding

/// The paths in a text that was typed, pasted or dropped on the terminal.
///
/// Words are divided by white space; quotes and backslashes keep it, as in a shell, `~` is the home
/// folder, and `file://` addresses are decoded (RFC 8089).
package nonisolated enum PathWords {
  package static func paths(in text: String, home: String) -> [String] {
    words(in: text).map { path($0, home: home) }
  }

  /// Where the last word begins, in characters; that is what completion completes.
  package static func startOfLastWord(in text: String) -> Int {
    var start = 0
    scan(text) { index, character in
      if character == nil { start = index + 1 }
    }
    return start
  }

  /// A path as it is to be written so that it reads as one word.
  package static func escaped(_ path: String) -> String {
    path.reduce(into: "") { text, character in
      if character.isWhitespace || "\"'\\".contains(character) { text.append("\\") }
      text.append(character)
    }
  }

  static func words(in text: String) -> [String] {
    var words: [String] = [""]
    scan(text) { _, character in
      if let character { words[words.count - 1].append(character) } else { words.append("") }
    }
    return words.filter { !$0.isEmpty }
  }

  static func path(_ word: String, home: String) -> String {
    if word.hasPrefix("file://") {
      let rest = word.dropFirst("file://".count)
      return PercentCoding.decode(rest.hasPrefix("/") ? rest : rest.drop { $0 != "/" })
    }
    if word == "~" { return home }
    return word.hasPrefix("~/") ? home + word.dropFirst() : word
  }

  /// Walks through a text: characters of words as they are meant, nil for what divides words.
  private static func scan(_ text: String, _ body: (Int, Character?) -> Void) {
    var quote: Character?
    var isEscaped = false
    for (index, character) in text.enumerated() {
      if isEscaped {
        isEscaped = false
        body(index, character)
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil } else { body(index, character) }
      } else if character == "'" || character == "\"" {
        quote = character
      } else {
        body(index, character.isWhitespace ? nil : character)
      }
    }
  }
}
