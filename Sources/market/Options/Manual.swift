import MarketStrings
import MarketViews
import SafeText

/// The manual page, made of the same lists as `--help` (man(7)).
enum Manual {
  static var page: String {
    let strings = Strings(.english)
    func items(_ list: [(words: String, summary: Phrase)]) -> [String] {
      list.flatMap { [".TP", ".B " + escaped($0.words), escaped(strings[$0.summary].string)] }
    }
    let options = MarketOptions.parser.options.map { ($0.usage, $0.summary) }
    let title = escaped(
      strings[.usageTitle].string.split(separator: ": ").last.map(String.init) ?? "")
    return
      ([".TH MARKET 1 \"\" \"\(Usage.version)\" \"User Commands\""]
      + [".SH NAME", "market \\- " + title]
      + [".SH SYNOPSIS"] + items(Usage.commands)
      + [
        ".SH OPTIONS",
        "Those of \\fBmarket serve\\fR are shown by \\fBmarket serve \\-\\-help\\fR.",
      ]
      + items(options)
      + [
        ".SH KEYS", escaped(strings[.usageKeys].string),
        "Under \"keys\" the settings file gives keys to other commands, or to none:",
        escaped(
          "{ \"keys\": { \"Ctrl-J\": \"half-page-down\", \"x\": \"delete\", \"M\": \"\" } }."),
        "The commands are:",
      ]
      + items(ViewGraph.market.commands.map { ($0.name, $0.words[0]) })
      + [".SH FILES"] + files.flatMap { [".TP", ".I " + escaped($0.path), $0.summary] }
      + [".SH EXIT STATUS"]
      + [
        "0 for success, 1 for what went wrong, 2 for a command line that cannot be understood,",
        "3 for a wrong password, 4 for a product that is not there.",
      ])
      .joined(separator: "\n")
  }

  private static let files: [(path: String, summary: String)] = [
    ("$XDG_DATA_HOME/market/market.sqlite", "The local market."),
    (
      "$XDG_CONFIG_HOME/market/settings.json",
      "Options under their names, and the addresses of servers by theirs under \"servers\"."
    ),
    ("$XDG_CACHE_HOME/market", "What was seen of servers."),
    ("$XDG_STATE_HOME/market", "Drafts."),
  ]

  /// Text in which no dash becomes a hyphen and nothing begins a request.
  private static func escaped(_ text: String) -> String {
    (text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" : "")
      + text.map { $0 == "-" ? "\\-" : $0 == "\\" ? "\\e" : String($0) }.joined()
  }
}
