import MarketStrings
import SafeTextKit

/// A part of a help text or of a manual page.
package struct HelpSection: Sendable {
  package enum Block: Sendable {
    case text(SafeText)
    /// A term with its explanation beside or below it.
    case item(SafeText, SafeText)
    /// A line of the shell with what it is for.
    case example(SafeText, SafeText)
    /// A file by its name, and its lines.
    case file(SafeText, [SafeText])
  }

  package let title: SafeText
  package var blocks: [Block]

  package init(_ title: SafeText, _ blocks: [Block]) {
    self.title = title
    self.blocks = blocks
  }
}

/// Topic of the help besides commands and options, such as keys and files.
package struct HelpTopic {
  /// The word behind `help`.
  package let name: String
  package let title: Phrase
  /// The word behind `help` in earlier versions.
  let formerName: String?
  /// Whether it follows the examples of the manual page.
  package let followsExamples: Bool
  package let blocks: (Strings) -> [HelpSection.Block]

  package init(
    _ name: String, _ title: Phrase, formerly formerName: String? = nil,
    followsExamples: Bool = true,
    blocks: @escaping (Strings) -> [HelpSection.Block]
  ) {
    self.name = name
    self.title = title
    self.formerName = formerName
    self.followsExamples = followsExamples
    self.blocks = blocks
  }
}

/// Writes sections for a terminal of 80 columns.
enum PlainText {
  private static let columns = 80
  private static let indent = 2
  /// A longer term stands on a line of its own.
  private static let widestTerm = 24

  /// A section's heading and its blocks, as lines without trailing blanks.
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
        ["", padding(start) + name.string] + lines.map { padding(start + indent) + $0.string }
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

/// Writes sections as a manual page (man(7)).
enum ManualText {
  /// Lines of the source are no longer, as man-pages(7) asks.
  private static let columns = 68

  /// The page of a program, with its version at the foot.
  static func text(_ program: String, version: ProgramVersion, _ sections: [HelpSection]) -> String
  {
    let head = [
      "'\\\" -*- coding: utf-8 -*-",
      ".TH \"\(program.uppercased())\" 1 \"\(version.day)\" \"\(version.text)\" \"\(program)\"",
      // Names of options are neither divided nor set apart.
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
        [".PP", "\\fB" + escaped(name.string) + "\\fR", ".RS", ".nf"]
          + lines.map { escaped($0.string) } + [".fi", ".RE"]
      }
    }
  }

  private static func paragraph(_ text: SafeText) -> [String] {
    text.wrapped(toColumns: columns).map { escaped($0.string) }
  }

  /// Text in which no dash becomes a hyphen, no quote is made round and nothing begins a request.
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
