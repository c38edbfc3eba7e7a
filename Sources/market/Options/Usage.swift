import MarketViews
import SafeText

/// What `--help` and `--version` say.
enum Usage {
  static let version = "OpenMarket 0.1.0"

  /// The commands as they are written, with what they do.
  private static let commands: [(words: String, summary: Phrase)] = [
    ("market [OPTIONS]", .usageBrowse),
    ("market serve [OPTIONS]", .usageServe),
    ("market import FILE [OPTIONS]", .usageImport),
    ("market export FILE [OPTIONS]", .usageExport),
    ("market backup FILE [OPTIONS]", .usageBackup),
    ("market sample [OPTIONS]", .usageSample),
    ("market generate N [OPTIONS]", .usageGenerate),
    ("market doctor [OPTIONS]", .usageDoctor),
  ]

  private static let column = 32

  static func help(_ strings: Strings) -> String {
    let commands = commands.map { line($0.words, strings[$0.summary].string) }
    let options = MarketOptions.parser.options.map { line($0.usage, strings[$0.summary].string) }
    return
      ([strings[.usageTitle].string, ""] + commands + [""] + options
      + ["", strings[.usageKeys].string]).joined(separator: "\n")
  }

  /// Words with their summary beside them, or under them where they are long.
  private static func line(_ words: String, _ summary: String) -> String {
    let gap = column - 2 - words.count
    let blank =
      gap > 1
      ? String(repeating: " ", count: gap) : "\n" + String(repeating: " ", count: column)
    return "  " + words + blank + summary
  }
}
