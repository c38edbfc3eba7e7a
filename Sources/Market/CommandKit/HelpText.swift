import MarketStrings
import SafeTextKit

/// Section of a help text or manual page.
package struct HelpSection: Sendable {
  package enum Block: Sendable {
    case text(SafeText)
    /// Term with its explanation.
    case item(SafeText, SafeText)
    /// Command line with its explanation.
    case example(SafeText, SafeText)
    /// File name and the file's lines, which begin at the margin so that they can be copied; the name is
    /// a comment before them.
    case file(SafeText, [SafeText])
  }

  package let title: SafeText
  package var blocks: [Block]

  package init(_ title: SafeText, _ blocks: [Block]) {
    self.title = title
    self.blocks = blocks
  }
}

/// Help topic besides commands, such as keys and files.
package struct HelpTopic {
  /// Argument of `help`.
  package let name: String
  package let title: Phrase
  /// Whether it follows the examples in the manual page.
  package let followsExamples: Bool
  package let blocks: (Strings) -> [HelpSection.Block]

  package init(
    _ name: String, _ title: Phrase, followsExamples: Bool = true,
    blocks: @escaping (Strings) -> [HelpSection.Block]
  ) {
    self.name = name
    self.title = title
    self.followsExamples = followsExamples
    self.blocks = blocks
  }
}

/// Formatter of sections for a terminal of 80 columns.
enum PlainText {
  private static let columns = 80
  private static let indent = 2
  /// Maximum width of a term beside its explanation; a longer one has its own line.
  private static let widestTerm = 24

  /// Returns the sections as lines without trailing spaces.
  static func text(_ sections: [HelpSection]) -> String {
    sections.map { section in
      let heading = section.title.isEmpty ? [] : [section.title.string.uppercased()]
      return (heading + lines(section.blocks, from: section.title.isEmpty ? 0 : indent)).joined(
        separator: "\n")
    }.joined(separator: "\n\n")
  }

  private static func lines(_ blocks: [HelpSection.Block], from start: Int) -> [String] {
    let terms = blocks.compactMap { if case .item(let term, _) = $0 { term.columns } else { nil } }
    let column = indent + (terms.filter { $0 <= widestTerm }.max() ?? widestTerm) + 2
    return blocks.flatMap { block in
      switch block {
      case .text(let text): wrap(text, from: start)
      case .item(let term, let text): item(term, text, at: column)
      case .example(let line, let text):
        wrap("# " + text, from: indent) + [padding(indent) + "$ " + line.string]
      case .file(let name, let lines):
        ["", "# " + name.string] + lines.map(\.string)
      }
    }
  }

  private static func item(_ term: SafeText, _ text: SafeText, at column: Int) -> [String] {
    let lines = wrap(text, from: column)
    guard indent + term.columns + 2 <= column, let first = lines.first else {
      return [padding(indent) + term.string] + lines
    }
    let start = padding(indent) + term.string
    return [start + padding(column - indent - term.columns) + first.drop { $0 == " " }]
      + lines.dropFirst()
  }

  private static func wrap(_ text: SafeText, from column: Int) -> [String] {
    text.wrapped(toColumns: columns - column).map { padding(column) + $0.string }
  }

  private static func padding(_ count: Int) -> String { String(repeating: " ", count: count) }
}

/// Formatter of sections as a manual page (man(7)).
enum ManualText {
  /// Maximum length of source lines, as man-pages(7) recommends.
  private static let columns = 68

  /// Returns the manual page of a program, with its version in the footer.
  static func text(_ program: String, version: ProgramVersion, _ sections: [HelpSection]) -> String
  {
    let head = [
      "'\\\" -*- coding: utf-8 -*-",
      ".TH \"\(program.uppercased())\" 1 \"\(version.day)\" \"\(version.text)\" \"\(program)\"",
      // Option names are neither hyphenated nor spread out.
      ".nh", ".ad l",
    ]
    let body = sections.flatMap { section in
      [".SH " + escaped(section.title.string.uppercased())] + lines(section.blocks)
    }
    return (head + body).joined(separator: "\n")
  }

  private static func lines(_ blocks: [HelpSection.Block]) -> [String] {
    blocks.enumerated().flatMap { index, block in
      switch block {
      case .text(let text): (index == 0 ? [] : [".PP"]) + paragraph(text)
      case .item(let term, let text), .example(let term, let text):
        [".TP", "\\fB" + escaped(term.string) + "\\fR"] + paragraph(text)
      case .file(let name, let lines):
        [".PP", ".nf", escaped("# " + name.string)] + lines.map { escaped($0.string) } + [".fi"]
      }
    }
  }

  private static func paragraph(_ text: SafeText) -> [String] {
    text.wrapped(toColumns: columns).map { escaped($0.string) }
  }

  /// Escapes dashes, quotes, and leading characters of requests.
  private static func escaped(_ text: String) -> String {
    (text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" : "")
      + text.map { character in
        switch character {
        case "-": "\\-"
        case "\\": "\\e"
        case "'": "\\(aq"
        case "^": "\\(ha"
        case "~": "\\(ti"
        case "`": "\\(ga"
        default: String(character)
        }
      }.joined()
  }
}
