import TestSupport

/// A Markdown file: its blocks of code, and the code in its sentences.
struct Document {
  /// What stands between two lines of three backquotes.
  struct Block {
    let heading: String
    /// The word behind the backquotes that open it.
    let language: String
    let text: String
  }

  let path: String
  private(set) var blocks: [Block] = []
  /// The code between single backquotes, in its order.
  private(set) var spans: [String] = []
  /// Where its links and pictures lead, without those to other sites.
  private(set) var links: [String] = []
  /// Its headings as links name them.
  private(set) var anchors: Set<String> = []

  /// Reads a file.
  ///
  /// - Parameter path: from the package's folder, in which tests run.
  /// - Throws: where there is no such file.
  init(_ path: String) throws {
    self.path = path
    let text = String(decoding: try FileContent(of: path).bytes, as: UTF8.self)
    var heading = ""
    var open: (language: String, lines: [Substring])?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let words = line.drop { $0 == " " }
      if words.hasPrefix("```") {
        if let (language, lines) = open {
          blocks.append(
            Block(heading: heading, language: language, text: lines.joined(separator: "\n")))
          open = nil
        } else {
          open = (String(words.dropFirst(3)), [])
        }
      } else if open != nil {
        open?.lines.append(line)
      } else if line.hasPrefix("#") {
        let title = line.drop { $0 == "#" }.dropFirst()
        if line.hasPrefix("## ") { heading = String(title) }
        anchors.insert(Self.anchor(of: title))
      } else {
        links += line.matches(of: /\]\(([^)]+)\)/).map { String($0.output.1) }
          .filter { !$0.hasPrefix("https://") }
        let pieces = line.split(separator: "`", omittingEmptySubsequences: false)
        spans += pieces.indices.filter { !$0.isMultiple(of: 2) }.map { String(pieces[$0]) }
      }
    }
  }

  /// A heading as GitHub writes it into addresses.
  private static func anchor(of title: Substring) -> String {
    String(
      title.lowercased().compactMap { character in
        if character == " " { return "-" }
        return character.isLetter || character.isNumber || "-_".contains(character)
          ? character : nil
      })
  }

  /// The lines of blocks of text and the code in sentences that begin with one of these programs,
  /// behind variables, and have arguments.
  func scatteredCommands(of programs: Set<String>) -> [String] {
    let lines = blocks.filter { $0.language == "text" }.flatMap { $0.text.split(separator: "\n") }
    return (lines.map { String($0.drop { $0 == " " }) } + spans).filter { line in
      let words = line.split(separator: " ").drop { $0.contains("=") }
      return words.count > 1 && words.first.map { programs.contains(String($0)) } ?? false
    }
  }

  /// The lines of the shell's blocks and the code in sentences that begin with one of these words.
  func commands(beginningWith programs: Set<String>) -> [String] {
    let lines = blocks.filter { $0.language == "sh" }.flatMap { $0.text.split(separator: "\n") }
    return (lines.map(String.init) + spans).filter { line in
      line.split(separator: " ").first.map { programs.contains(String($0)) } ?? false
    }
  }

  /// All options that it names, with their dashes.
  var options: Set<String> {
    Set(
      (blocks.map(\.text) + spans).flatMap { $0.matches(of: /--[a-z][a-z-]+/) }.map {
        String($0.output)
      })
  }
}
