import CommandKit
import MarketStrings
import MarketTransfer
import MarketViews
import SafeTextKit
import TerminalKit

/// Topics of `market help` in addition to commands: keys, searches, settings, alerts, guides,
/// environment, files and exit statuses.
struct MarketTopics {
  private let settings: Settings

  init(_ settings: Settings) { self.settings = settings }

  var all: [HelpTopic] {
    [
      HelpTopic("keys", .manKeys, followsExamples: false, blocks: keys),
      HelpTopic("search", .manSearch, followsExamples: false, blocks: search),
      HelpTopic("settings", .manSettings, followsExamples: false, blocks: kept),
      HelpTopic("alerts", .manAlerts, followsExamples: false, blocks: alerts),
      HelpTopic("import", .manImport, followsExamples: false, blocks: tables),
    ] + MarketGuides.all + [
      HelpTopic("environment", .manEnvironment, blocks: items(Self.environment)),
      HelpTopic("files", .manFiles, blocks: items(Self.files)),
      HelpTopic("exit-status", .manExitStatus, blocks: items(Self.statuses)),
    ]
  }

  // MARK: Keys, searches and settings

  private func keys(_ strings: Strings) -> [HelpSection.Block] {
    [.text(strings[.usageKeys]), .text(strings[.keysMove])]
      + [.text("{ \"keys\": { \"Ctrl-J\": \"half-page-down\", \"x\": \"delete\", \"M\": \"\" } }")]
      + [.text(strings[.keysCommands])]
      + NamedKeyCommand.all.map {
        .item(SafeText($0.name), $0.words.map { strings[$0] }.joined(separator: ", "))
      }
  }

  private func search(_ strings: Strings) -> [HelpSection.Block] {
    [.text(strings[.searchAbout])]
      + SearchSyntax.allCases.map { .item($0.sample(strings.language), strings[$0.meaning]) }
      + [.text(strings[.searchQuotes])]
  }

  private func kept(_ strings: Strings) -> [HelpSection.Block] {
    [.text(strings[.settingsAbout])]
      + [
        .text("{ \"language\": \"ko\", \"servers\": { \"home\": \"http://127.0.0.1:8080\" } }")
      ]
      + Settings.keptOptions.map { option in
        .item(
          SafeText("\"" + option.name.dropFirst(2) + "\": " + (option.keptShape?.expected ?? "")),
          strings[option.summary])
      }
      + [.item("\"colors\": { \"PART\": \"#rrggbb\" }", strings[.settingsColors])]
      + ColorPart.allCases.map { .item(SafeText("  " + $0.rawValue), strings[$0.summary]) }
      + [
        .item("\"servers\": { \"NAME\": \"URL\" }", strings[.settingsServers]),
        .item("\"keys\": { \"KEY\": \"COMMAND\" }", strings[.settingsKeys]),
        .item("\"on-alert\": [ \"PROGRAM\", \"WORD\" ]", strings[.settingsOnAlert]),
      ]
  }

  /// About alerts, with a systemd timer that checks them.
  private func alerts(_ strings: Strings) -> [HelpSection.Block] {
    let keys = NamedKeyCommand.all.filter { ["add-alert", "alerts"].contains($0.name) }.map {
      $0.item(strings)
    }
    return [.text(strings[.alertsAbout])] + keys
      + [.text(strings[.alertsWithoutScreen]), .text(strings[.alertsTimer])]
      + [
        .file(
          "~/.config/systemd/user/market-alerts.service",
          [
            "[Service]", "Type=oneshot", "SuccessExitStatus=5",
            "ExecStart=market alerts --on-alert",
          ]),
        .file(
          "~/.config/systemd/user/market-alerts.timer",
          ["[Timer]", "OnCalendar=*:0/15", "", "[Install]", "WantedBy=timers.target"]),
      ]
  }

  /// About tables of other programs, with one and what becomes of it.
  private func tables(_ strings: Strings) -> [HelpSection.Block] {
    [
      .text(strings[.tableAbout]),
      .file(
        "list.csv",
        [
          "Title,Regular price,Sale price,Stock,Condition", "Lamp,50.00,42.00,3.0,Like new",
          "Chair,$18,,,",
        ]),
      .text(strings[.tableBecomes]), .text(strings[.tableNames]),
    ]
      + TableColumn.ofPeople.map { column in
        .item(SafeText(column.name), SafeText(column.examples.joined(separator: ", ")))
      } + [
        .text(strings[.tableCells]),
        .example(
          "market import list.csv --column name=Model --currency USD --category furniture",
          strings[.tableOthers]),
        .example("market import list.csv --fetch-photos", strings[.tablePhotos]),
        .example("market import list.csv --unknown-choices drop", strings[.tableUnknown]),
        .example("market import list.csv --encoding Windows-1252", strings[.tableEncoding]),
      ]
  }

  // MARK: Lists

  private func items(
    _ list: [(term: SafeText, summary: Phrase)]
  ) -> (Strings) -> [HelpSection.Block] {
    { strings in list.map { .item($0.term, strings[$0.summary]) } }
  }

  private static let environment: [(term: SafeText, summary: Phrase)] = [
    ("TERM, COLORTERM", .environmentTerminal), ("NO_COLOR", .environmentNoColor),
    ("LC_ALL, LC_MESSAGES, LANG", .environmentLanguage), ("VISUAL, EDITOR", .environmentEditor),
    ("SSL_CERT_FILE", .environmentAuthorities),
    ("MARKET_PICTURES", .environmentPictures), ("XDG_DATA_HOME", .environmentData),
    ("XDG_CONFIG_HOME", .environmentConfig), ("XDG_CACHE_HOME", .environmentCache),
    ("XDG_STATE_HOME", .environmentState), ("XDG_RUNTIME_DIR", .environmentRuntime),
  ]

  private static let files: [(term: SafeText, summary: Phrase)] = [
    ("$XDG_DATA_HOME/market/market.sqlite", .fileStore),
    ("$XDG_DATA_HOME/market/personal.sqlite", .filePersonal),
    ("$XDG_DATA_HOME/market/personal.sqlite.before-1.0", .filePersonalSetAside),
    ("$XDG_CONFIG_HOME/market/settings.json", .fileSettings),
    ("$XDG_CONFIG_HOME/market/seller-*", .fileAccounts),
    ("$XDG_CACHE_HOME/market", .fileCache), ("$XDG_STATE_HOME/market/drafts", .fileDrafts),
    ("$XDG_STATE_HOME/market/state", .fileState), ("*.csv, *.tsv", .fileTables),
  ]

  private static let statuses: [(term: SafeText, summary: Phrase)] = [
    ("0", .exitSuccess), (SafeText(ExitStatus.failure), .exitFailure),
    (SafeText(ExitStatus.usage), .exitUsage),
    (SafeText(ExitStatus.wrongPassword), .exitWrongPassword),
    (SafeText(ExitStatus.notFound), .exitNotFound),
    (SafeText(ExitStatus.nothingNew), .exitNothingNew),
  ]
}

/// Command that keys can be bound to; help reads the bindings only here.
struct NamedKeyCommand {
  let name: String
  /// Names of the command in the views; the most common one, or several equally common.
  let words: [Phrase]
  /// Its default keys.
  let keys: [KeyPress]

  /// Returns the first key with the command's names.
  func item(_ strings: Strings) -> HelpSection.Block {
    .item(
      SafeText(keys.first?.settingsName ?? ""),
      words.map { strings[$0] }.joined(separator: ", "))
  }

  static var all: [NamedKeyCommand] {
    ViewGraph.market.commands.map {
      NamedKeyCommand(name: $0.name, words: $0.words, keys: $0.keys)
    }
  }
}
