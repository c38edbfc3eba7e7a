import MarketStrings
import MarketViews
import SafeText

/// What `--help` and `--version` say.
enum Usage {
  static let version = ProgramVersion.text

  /// The commands as they are written, with what they do.
  static let commands: [(words: String, summary: Phrase)] = [
    ("market [OPTIONS]", .usageBrowse),
    ("market list [OPTIONS]", .usageList),
    ("market show ID [OPTIONS]", .usageShow),
    ("market new [OPTIONS]", .usageNew),
    ("market edit ID [OPTIONS]", .usageEdit),
    ("market delete ID --yes [OPTIONS]", .usageDelete),
    ("market serve [OPTIONS]", .usageServe),
    ("market import FILE [OPTIONS]", .usageImport),
    ("market export FILE [OPTIONS]", .usageExport),
    ("market backup FILE [OPTIONS]", .usageBackup),
    ("market identity [OPTIONS]", .usageIdentity),
    ("market identity enter [OPTIONS]", .usageIdentityEnter),
    ("market seller set [OPTIONS]", .usageSellerSet),
    ("market seller block|unblock ID", .usageSellerBlock),
    ("market remove ID... [OPTIONS]", .usageRemove),
    ("market sample [OPTIONS]", .usageSample),
    ("market generate N [OPTIONS]", .usageGenerate),
    ("market doctor [OPTIONS]", .usageDoctor),
    ("market manual", .usageManual),
    ("market completion", .usageCompletion),
  ]

  /// Each once, in their order.
  static var commandNames: [String] {
    commands.dropFirst().map { String($0.words.split(separator: " ")[1]) }
      .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// What bash reads to complete the names of commands, options and files.
  static var completion: String {
    let words = commandNames + MarketOptions.parser.options.map(\.name)
    return "complete -o default -W '\(words.joined(separator: " "))' market"
  }

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
