import CommandKit
import CommandTestSupport
import Expectations
import MarketModel
import MarketStrings
import SafeTextKit
import Testing

/// A made-up program with a few commands.
enum Trial {
  enum Color: String, CaseIterable { case red, green }

  struct Values: CommandValues, Hashable {
    var color = Color.red
    var count: Int?
    var isLoud = false
    var place: String?
    var checked: String??
    var names: [String] = []
    var language = Language.english

    var strings: Strings { Strings(language) }
  }

  enum Outcome: Equatable {
    case alone
    case said(String)
    case painted(Int)
    case removed([Int])
    case passed([String])
  }

  static var table: CommandTable<Values, Outcome> {
    let examples = [
      Example("trial paint 1", .exampleShow), Example("trial paint 2", .exampleShow),
    ]
    let id = ValueKind<Int>.number("ID", in: 0...99)
    return CommandTable(
      "trial", version: .own, .usageTitle, .usageAbout,
      commands: [
        Subcommand("", .groupBrowse, .usageBrowse, options: [checked], examples: examples) { _ in
          .alone
        },
        Subcommand(
          "paint", .groupBrowse, .usageShow, takes: .one(id), options: [color, count, loud, name],
          examples: examples
        ) { number, _ in .painted(number) },
        Subcommand(
          "wall set", .groupSell, .usageEdit, options: [place], examples: examples
        ) { _ in .alone },
        Subcommand(
          "wall remove", .groupSell, .usageRemove, takes: .several(id), options: [],
          examples: examples
        ) { numbers, _ in .removed(numbers) },
        Subcommand("pass", .groupRun, .usageServe, examples: examples) { words, _ in
          .passed(words)
        },
      ],
      everywhere: [.value("--language", .optionLanguage, language, to: \.language)],
      firstExamples: examples,
      topics: [HelpTopic("files", .manFiles) { [.item("here", $0[.fileStore])] }],
      related: ["other(1)"], defaults: Values(), remembered: { ["home", "work"] },
      hidden: { $0.hasPrefix("secret") ? "…" : $0 }, say: { .said($0) })
  }

  private static var language: ValueKind<Language> { .choice }
  private static var color: Option<Values> {
    .value("--color", .optionTheme, .choice, to: \.color, isKept: true)
  }
  private static var count: Option<Values> {
    .value("--count", .optionLimit, .number("N", in: 1...9), to: \.count)
  }
  private static var loud: Option<Values> { .flag("--loud", .optionYes) { $0.isLoud = true } }
  private static var name: Option<Values> {
    .value("--name", ProductField.name.optionPhrase, .text("TEXT"), isRepeated: true) {
      $0.names.append($1)
    }
  }
  private static var place: Option<Values> {
    .value("--place", .optionServer, .word("URL", suggestions: .remembered), to: \.place)
  }
  private static var checked: Option<Values> {
    .optional("--check", .serveCheck, .file()) { $0.checked = .some($1) }
  }
}

struct CommandTableTests {
  private func parse(_ line: String) throws -> Invocation<Trial.Values, Trial.Outcome> {
    try Trial.table.parse(line.split(separator: " ").map(String.init))
  }

  @Test func `options of other commands are made only where one of them may be meant`() throws {
    let made = Counter()
    let table = CommandTable<Trial.Values, Trial.Outcome>(
      "trial", version: .own, .usageTitle, .usageAbout,
      commands: [
        Subcommand(
          "", .groupBrowse, .usageBrowse,
          options: [.value("--count", .optionLimit, .number("N", in: 1...9), to: \.count)],
          examples: []
        ) { _ in .alone },
        Subcommand(
          "paint", .groupBrowse, .usageShow, options: made.options, examples: []
        ) { _ in .alone },
      ], everywhere: [], firstExamples: [], topics: [], related: [], defaults: Trial.Values(),
      hidden: { $0 }, say: { .said($0) })

    let start = try table.parse(["--count", "3"])
    let madeByStart = made.count
    let paint = try table.parse(["paint", "--loud"])

    expect(start.values.count, 3)
    expect(madeByStart, 0)
    #expect(paint.values.isLoud)
  }

  @Test func `options stand anywhere, and their values behind a blank or an equals sign`() throws {
    let read = try parse("--color green paint --count=3 7 --name a --name b --loud")

    #expect(read.command?.name == "paint" && read.outcome == .painted(7))
    #expect(read.values.color == .green && read.values.count == 3 && read.values.isLoud)
    expect(read.values.names, ["a", "b"])
  }

  @Test func `behind two dashes nothing is an option`() throws {
    try expect(parse("paint -- 7").outcome, .painted(7))
    #expect(throws: CommandLineError.self) { try parse("paint -- --loud") }
  }

  @Test func `a value that may be left out is one only where no option follows`() throws {
    try expect(parse("--check here").values.checked, .some("here"))
    try expect(parse("--check").values.checked, .some(nil))
    try expect(parse("--check --language ko").values.checked, .some(nil))
    try expect(parse("").values.checked, nil)
  }

  @Test func `a command takes words until there are none, or hands all of them on`() throws {
    try expect(parse("wall remove 1 2 3").outcome, .removed([1, 2, 3]))
    try expect(parse("pass --color wall 1").outcome, .passed(["--color", "wall", "1"]))
  }

  @Test(
    arguments: [
      ("--colour red", .unknownOption("--colour", meant: "--color")),
      ("--zzzzzz", .unknownOption("--zzzzzz")),
      ("pant 1", .unknownCommand("pant", meant: "paint")),
      ("wall st", .unknownCommand("wall st", meant: "wall set")),
      ("wall", .missingArgument("wall set|remove")),
      ("paint", .missingArgument("paint ID")),
      ("wall remove", .missingArgument("wall remove ID...")),
      (
        "paint x",
        .badValue(
          option: "paint", value: "x", expected: .phrase(.named("expectedNumber"), ["0", "99"]))
      ),
      (
        "paint secret",
        .badValue(
          option: "paint", value: "…", expected: .phrase(.named("expectedNumber"), ["0", "99"]))
      ),
      (
        "paint 1 --color gren",
        .badValue(option: "--color", value: "gren", expected: "red|green", meant: "green")
      ),
      (
        "paint 1 --count 10",
        .badValue(
          option: "--count", value: "10", expected: .phrase(.named("expectedNumber"), ["1", "9"]))
      ),
      ("paint 1 --count", .missingValue("--count N")),
      ("paint 1 --loud=2", .badValue(option: "--loud", value: "--loud=2", expected: "--loud")),
      ("paint 1 2", .unexpectedArgument("2")),
      ("wall set --loud", .optionOfOthers("--loud", command: "trial wall set")),
      ("--loud", .optionOfOthers("--loud", command: "trial")),
      ("help pant", .unknownCommand("pant", meant: "paint")),
      ("help fils", .unknownCommand("fils", meant: "files")),
      ("help files too", .unexpectedArgument("too")),
      ("paint --help=1", .badValue(option: "--help", value: "--help=1", expected: "--help")),
      (
        "completion bsh",
        .badValue(
          option: "completion", value: "bsh", expected: "bash|zsh|fish",
          meant: "bash")
      ),
    ] as [(String, CommandLineError)])
  func `a mistake is told with what was meant`(line: String, mistake: CommandLineError) {
    #expect(throws: mistake) { try parse(line) }
  }

  @Test(arguments: Language.allCases)
  func `a mistake with what was meant is one sentence`(language: Language) {
    let mistake = CommandLineError.badValue(
      option: "--color", value: "gren", expected: "red|green", meant: "green")

    let text = mistake.text(Strings(language)).string

    #expect(text.contains("--color") && text.contains("“gren”") && text.contains("green"))
    #expect(text.contains("red|green"))
  }

  @Test func `the language that is asked for counts, whatever else is wrong`() {
    for words in [["--language", "ko", "pant"], ["--bad", "--language=ko", "--worse"]] {
      expect(Trial.table.values(speakingAs: words).language, .korean)
    }
    expect(Trial.table.values(speakingAs: ["--language"]).language, .english)
    expect(Trial.table.values(speakingAs: ["--languages", "ko"]).language, .english)
  }

  @Test(arguments: ["paint --help", "paint 7 -h", "--help paint", "help paint"])
  func `help about a command shows it alone`(line: String) throws {
    guard case .said(let text) = try parse(line).outcome else {
      Issue.record("nothing is said")
      return
    }

    expect(
      text,
      """
      Print a product (exit status 4 if it does not exist)

      USAGE
        trial paint ID [OPTIONS]

      OPTIONS
        --color red|green  Colors of the screen; auto fits the terminal [red]
        --count N          At most this many
        --loud             Delete without asking
        --name TEXT        Name of the product

      OPTIONS OF EVERY COMMAND
        -h, --help        Show help and exit
        --language ko|en  Korean or English; auto follows the locale [en]
        -V, --version     Show the version and exit

      EXAMPLES
        # A product with its description
        $ trial paint 1
        # A product with its description
        $ trial paint 2

      LEARN MORE
        “trial help” lists all commands, and “man trial” explains everything.
      """)
  }

  @Test(arguments: ["wall --help", "help wall"])
  func `help about the first word of several commands lists them`(line: String) throws {
    guard case .said(let text) = try parse(line).outcome else {
      Issue.record("nothing is said")
      return
    }

    #expect(text.hasPrefix("USAGE\n  wall set           Change the fields given as options"))
    #expect(
      text.contains(
        "\n  wall remove ID...  Delete products without their passwords\n\nLEARN MORE\n"))
  }

  @Test func `help about everything begins with examples, and then has commands in groups`() throws
  {
    guard case .said(let text) = try parse("--help").outcome else {
      Issue.record("nothing is said")
      return
    }

    let headings = text.split(separator: "\n").filter { $0 == $0.uppercased() && $0.first != " " }
    expect(
      headings,
      [
        "EXAMPLES", "BROWSE", "SELL", "RUN A MARKET", "HELP", "OPTIONS WITHOUT A COMMAND",
        "OPTIONS OF EVERY COMMAND", "LEARN MORE",
      ])
    #expect(text.contains("  wall remove ID...  Delete products"))
  }

  @Test func `a topic and the version are printed as well`() throws {
    try expect(parse("help files").outcome, .said("FILES\n  here  The local market"))
    try expect(parse("-V paint").outcome, .said(ProgramVersion.own.line))
  }

  @Test func `the laws of tables hold`() {
    let laws = TableLaws(Trial.table)

    #expect(laws.hiddenOptions == [] && laws.hiddenValues == [] && laws.wideLines == [])
    #expect(laws.unexplained == [] && laws.ambiguousOptions == [])
  }
}

/// Options that say how often they were made.
private final class Counter {
  private(set) var count = 0

  var options: [Option<Trial.Values>] {
    count += 1
    return [.flag("--loud", .optionYes) { $0.isLoud = true }]
  }
}
