/// Words of a line as a POSIX shell divides it, without a shell: quotes and backslashes count, and nothing
/// is expanded, run or read (Shell Command Language, 2.2).
package struct ShellWords: Hashable, Sendable {
  /// A line that cannot be words alone.
  package enum Mistake: Error, Hashable, Sendable {
    /// A quote, or a backslash at the end, that nothing closes.
    case open(Character)
    /// A sign by which a shell would do more than divide words, such as `|` or `$`.
    case sign(Character)
    /// More bytes or words than a command line here has.
    case tooLong
  }

  package static let maxBytes = 65_536
  package static let maxWords = 256

  /// Signs that mean something to a shell where no quotes stand around them; they are refused, since who
  /// writes them expects that.
  private static let signs: Set<Character> = [
    "|", "&", ";", "<", ">", "(", ")", "$", "`", "\n", "\r\n",
  ]
  /// Characters before which a backslash counts between double quotes.
  private static let escapable: Set<Character> = ["$", "`", "\"", "\\"]

  package private(set) var words: [String] = []
  /// The word under way, which may be empty as `''` is; nil between words.
  private var word: String?

  package init(_ line: String) throws(Mistake) {
    guard line.utf8.count <= Self.maxBytes, !line.utf8.contains(0) else { throw .tooLong }
    var rest = line[...]
    while let character = rest.popFirst() { try take(character, before: &rest) }
    try endWord()
  }

  private mutating func take(_ character: Character, before rest: inout Substring) throws(Mistake) {
    switch character {
    case " ", "\t": try endWord()
    case "'":
      guard let end = rest.firstIndex(of: "'") else { throw .open("'") }
      append(rest[..<end])
      rest = rest[rest.index(after: end)...]
    case "\"": try takeQuoted(&rest)
    case "\\":
      guard let next = rest.popFirst() else { throw .open("\\") }
      // A line that goes on.
      if next != "\n" { append([next]) }
    case "#" where word == nil: throw .sign("#")
    case _ where Self.signs.contains(character): throw .sign(character)
    default: append([character])
    }
  }

  /// Takes what stands between double quotes.
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
