/// The pieces of a settings file: JSON (RFC 8259) in which lines may end in `// comments` and commas
/// may be left over.
struct SettingsScanner {
  enum Token: Hashable {
    case string(String)
    /// A number, `true`, `false` or `null`, as it stands there.
    case word(String)
    /// One of `{ } [ ] : ,`.
    case mark(Character)
  }

  private var rest: Substring
  /// Line of the piece that was read last, from 1.
  private(set) var line = 1

  init(_ text: String) {
    rest = text[...]
  }

  /// The text that has not been read.
  var remainder: Substring { rest }

  /// Reads the next piece; nil at the end.
  ///
  /// - Returns: the piece.
  /// - Throws: `.unreadable` for a string that does not end in its line.
  mutating func next() throws(SettingsMistake) -> Token? {
    skipBlanks()
    guard let first = rest.first else { return nil }
    if "{}[]:,".contains(first) {
      rest.removeFirst()
      return .mark(first)
    }
    if first == "\"" { return .string(try string()) }
    let word = rest.prefix { !$0.isWhitespace && !"{}[]:,\"".contains($0) }
    rest = rest[word.endIndex...]
    return .word(String(word))
  }

  private mutating func skipBlanks() {
    while let first = rest.first {
      if rest.hasPrefix("//") {
        rest = rest.drop { !$0.isNewline }
      } else if first.isWhitespace {
        if first.isNewline { line += 1 }
        rest.removeFirst()
      } else {
        return
      }
    }
  }

  private mutating func string() throws(SettingsMistake) -> String {
    rest.removeFirst()
    var text = ""
    while let character = rest.popFirst(), !character.isNewline {
      switch character {
      case "\"": return text
      case "\\":
        guard let escaped = rest.popFirst(), "\"\\/".contains(escaped) else {
          throw SettingsMistake(line: line, kind: .unreadable)
        }
        text.append(escaped)
      default: text.append(character)
      }
    }
    throw SettingsMistake(line: line, kind: .unreadable)
  }
}
