/// Words of a line as a POSIX shell splits it: quotes and backslashes are interpreted; nothing is
/// expanded or run (Shell Command Language, 2.2).
package struct ShellWords: Hashable, Sendable {
  /// Error in a line.
  package enum Mistake: Error, Hashable, Sendable {
    /// An unclosed quote, or a backslash at the end.
    case open(Character)
    /// An unquoted character with another meaning in a shell, such as `|` or `$`.
    case sign(Character)
    /// More than `maxBytes` or `maxWords`, or a zero byte.
    case tooLong
  }

  /// Maximum bytes of a line in UTF-8, and maximum words; beyond them `init` throws `.tooLong`.
  package static let maxBytes = 65_536
  package static let maxWords = 256

  /// Unquoted characters with a meaning in a shell; they are refused, since the user expects that
  /// meaning.
  private static let signs: Set<Character> = [
    "|", "&", ";", "<", ">", "(", ")", "$", "`", "\n", "\r\n",
  ]
  /// Characters that a backslash escapes between double quotes.
  private static let escapable: Set<Character> = ["$", "`", "\"", "\\"]

  package private(set) var words: [String] = []
  /// Current word, which may be empty as `''` is; nil between words.
  private var word: String?

  /// Splits a line into words.
  ///
  /// - Throws: `.tooLong` above `maxBytes` or `maxWords`, or for a zero byte; `.open` for an unclosed
  ///   quote or a final backslash; `.sign` for an unquoted character with a meaning in a shell.
  package init(_ line: String) throws(Mistake) {
    guard line.utf8.count <= Self.maxBytes, !line.utf8.contains(0) else { throw .tooLong }
    var rest = line[...]
    while let character = rest.popFirst() { try append(character, before: &rest) }
    try endWord()
  }

  private mutating func append(_ character: Character, before rest: inout Substring) throws(Mistake)
  {
    switch character {
    case " ", "\t": try endWord()
    case "'":
      guard let end = rest.firstIndex(of: "'") else { throw .open("'") }
      append(rest[..<end])
      rest = rest[rest.index(after: end)...]
    case "\"": try takeQuoted(&rest)
    case "\\":
      guard let next = rest.popFirst() else { throw .open("\\") }
      // An escaped line break continues the line.
      if next != "\n" { append([next]) }
    case "#" where word == nil: throw .sign("#")
    case _ where Self.signs.contains(character): throw .sign(character)
    default: append([character])
    }
  }

  /// Parses the text between double quotes.
  private mutating func takeQuoted(_ rest: inout Substring) throws(Mistake) {
    append("")
    while let character = rest.popFirst() {
      switch character {
      case "\"": return
      case "$", "`": throw .sign(character)
      case "\\":
        guard let next = rest.popFirst() else { throw .open("\"") }
        if !Self.escapable.contains(next), next != "\n" { append(["\\"]) }
        if next != "\n" { append([next]) }
      default: append([character])
      }
    }
    throw .open("\"")
  }

  private mutating func append(_ text: some Sequence<Character>) {
    word = (word ?? "") + text
  }

  private mutating func endWord() throws(Mistake) {
    guard let word else { return }
    guard words.count < Self.maxWords else { throw .tooLong }
    words.append(word)
    self.word = nil
  }
}
