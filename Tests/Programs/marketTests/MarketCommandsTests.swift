import CommandKit
import CommandTestSupport
import Expectations
import MarketModel
import MarketStore
import MarketStrings
import MarketViewModels
import MarketViews
import SafeTextKit
import StoreCore
import Testing

@testable import market

struct MarketCommandsTests {
  private static let table = MarketCommands(settings: Settings()).table

  /// The name of the command that a command line asks for, and its values.
  private struct Read: Equatable {
    let command: String?
    let options: MarketOptions
  }

  private func read(
    _ words: [String], defaults: MarketOptions = MarketOptions()
  ) throws(CommandLineError) -> Read {
    let table = MarketCommands(settings: Settings(options: defaults)).table
    let invocation = try table.parse(words)
    return Read(command: invocation.command?.name, options: invocation.values)
  }

  @Test func `each group of commands stands once in the overview`() {
    let overview = HelpPage(Self.table, Strings(.english)).overview
    let headings = overview.split(separator: "\n").filter { $0.first?.isUppercase == true }

    expect(headings.filter { $0 == "SELL" }.count, 1)
    expect(headings.filter { $0 == "RUN A MARKET" }.count, 1)
  }

  @Test func `no words browse the default market`() throws {
    try expect(read([]), Read(command: "", options: MarketOptions()))
  }

  @Test(arguments: [
    ["open", "https://a.example/products/12"], ["https://a.example/products/12"],
    ["HTTP://a.example/products/12"], ["--", "openmarket://a.example/products/12"],
    ["open", "--", "openmarket://a.example/products/12"],
  ])
  func `a link opens with or without the command's name`(words: [String]) throws {
    try expect(read(words), Read(command: "open", options: MarketOptions()))
  }

  @Test func `a value stands behind its option or behind an equals sign`() throws {
    var expected = MarketOptions()
    expected.storePath = "/tmp/a"
    expected.theme = .light

    try expect(read(["--store", "/tmp/a", "--theme=light"]), Read(command: "", options: expected))
  }

  @Test func `the command line wins over the settings`() throws {
    var defaults = MarketOptions()
    defaults.view = .list
    var expected = defaults
    expected.view = .grid

    try expect(read(["--view", "grid"], defaults: defaults).options, expected)
  }

  @Test func `the command line switches on, and off what the settings switch on`() throws {
    var plain = MarketOptions()
    plain.isPlain = true

    try expect(read(["--plain"]).options, plain)
    try expect(read(["--plain=false"], defaults: plain).options, MarketOptions())
    #expect(
      throws: CommandLineError.badValue(
        option: "--plain", value: "maybe", expected: "true|false")
    ) { try read(["--plain=maybe"]) }
  }

  @Test func `a market that is named wins over the one of the settings`() throws {
    var defaults = MarketOptions()
    defaults.storePath = "home.market"
    var server = defaults
    server.storePath = nil
    server.server = "http://market.example"

    try expect(read(["--server", "http://market.example"], defaults: defaults).options, server)
    try expect(read(["--store", "home.market"], defaults: server).options, defaults)
  }

  @Test(
    arguments: [
      (["--colour"], .unknownOption("--colour")),
      (["--sotre", "a"], .unknownOption("--sotre", meant: "--store")),
      (["--theme"], .missingValue("--theme auto|dark|light|high-contrast|colorblind|plain")),
      (
        ["--page-size", "0"],
        .badValue(
          option: "--page-size", value: "0",
          expected: .phrase(.named("expectedNumber"), ["1", "1000"]))
      ),
      (["generate"], .missingArgument("generate N")),
      (["show"], .missingArgument("show ID")),
      (
        ["show", "x"],
        .badValue(option: "show", value: "x", expected: .phrase(.expectedProduct, []))
      ),
      (
        ["list", "--limit", "0"],
        .badValue(
          option: "--limit", value: "0", expected: .phrase(.named("expectedNumberFrom"), ["1"]))
      ),
      (["buy"], .unknownCommand("buy")),
      (
        ["open", "file:///etc/passwd"],
        .badValue(
          option: "open", value: "file:///etc/passwd",
          expected: .phrase(.named("expectedLink"), []))
      ),
      (
        ["https://u:secret@a.example/products/12"],
        .badValue(
          option: "open", value: "https:…@a.example/products/12",
          expected: .phrase(.named("expectedLink"), []))
      ),
      (["open"], .missingArgument("open LINK")),
      (["https://a.example/products/1", "x"], .unexpectedArgument("x")),
      (
        ["open", "--server", "home", "https://a.example/products/1"],
        .optionOfOthers("--server", command: "market open")
      ),
      (["exprot", "a"], .unknownCommand("exprot", meant: "export")),
      (["--store", "a", "--server", "b"], .contradiction("--store", "--server")),
      (["--server", "b", "export", "-"], .optionOfOthers("--server", command: "market export")),
      (["--search", "x"], .optionOfOthers("--search", command: "market")),
      (["list", "--theme=dark"], .optionOfOthers("--theme", command: "market list")),
      (["show", "1", "--limit", "2"], .optionOfOthers("--limit", command: "market show")),
      (["delete", "1"], .counted(.usageSureDeletion, 1)),
      (["delete", "2", "1", "2"], .counted(.usageSureDeletion, 2)),
      (["delete", "--from-file", "a"], .said(.named("usageSureFileDeletion"))),
      (["delete", "--yes"], .missingArgument("delete ID...")),
      (["delete", "1", "--from-file", "a", "--yes"], .contradiction("ID", "--from-file")),
      (
        ["edit", "x"],
        .badValue(option: "edit", value: "x", expected: .phrase(.expectedProduct, []))
      ),
      (["list", "--sort-by", "price"], .unknownOption("--sort-by", meant: "--sort")),
      (
        ["completion", "tcsh"],
        .badValue(option: "completion", value: "tcsh", expected: "bash|zsh|fish")
      ),
      (["--save-as", "home"], .missingValue("--server URL")),
      (["identity", "3424eb5f"], .unexpectedArgument("3424eb5f")),
      (["sample", "more"], .unexpectedArgument("more")),
    ] as [([String], CommandLineError)])
  func `a mistake is named`(words: [String], mistake: CommandLineError) {
    #expect(throws: mistake) { try read(words) }
  }

  @Test(
    arguments: [
      [], ["sample"], ["generate", "5"], ["doctor"], ["identity"], ["identity", "import"],
    ])
  func `a database is for the server program, whoever else is asked for it`(words: [String]) {
    let words = words + ["--store", "postgresql://market:secret@db.example/market"]

    #expect(throws: CommandLineError.said(.usageDatabase)) {
      try read(words)
    }
    expect(
      CommandLineError.said(.usageDatabase).text(Strings(.english)).string,
      "“market serve --store postgresql://…” opens a database; then browse it with "
        + "“market --server URL”")
    expect(
      CommandLineError.said(.usageDatabase).text(Strings(.korean)).string,
      "데이터베이스는 “market serve --store postgresql://…”로 열고 “market --server URL”로 둘러봐 주세요")
  }

  @Test(arguments: [[], ["list"], ["sample"], ["export", "-"]])
  func `libpq's own form of an address is no file`(words: [String]) {
    #expect(throws: CommandLineError.said(.databasePairs)) {
      try read(words + ["--store", "host=db dbname=market"])
    }
    #expect(throws: Never.self) {
      try read(words + ["--store", "./host=db"])
    }
  }

  @Test(
    arguments: [
      ["postgresql://market:secret@db.example/market"],
      ["import", "a", "postgres://market:secret@db.example/market"],
      ["--theme", "postgresql://market:secret@db.example/market"],
      ["--store:postgresql://market:secret@db.example/market"],
    ])
  func `no mistake repeats the address of a database`(words: [String]) throws {
    let mistake = try #require(throws: CommandLineError.self) {
      try read(words)
    }

    for language in Language.allCases {
      let text = mistake.text(Strings(language)).string
      #expect(!text.contains("secret"), "\(text)")
    }
  }

  @Test func `a value that is refused is answered by what is taken, never by a placeholder`() {
    var refused = 0
    for command in Self.table.commands where !command.isForwarded {
      let values = command.options.filter { $0.shape != nil }.map { [$0.name] }
      for start in values + [[]] {
        for word in ["", " ", "-5", "ten", "99999999999999999999", "a b", "\u{0}"] {
          let words = command.path + start + [word]
          do throws(CommandLineError) {
            _ = try Self.table.parse(words)
            continue
          } catch {
            guard case .badValue(_, _, .words(let form), _) = error else { continue }
            #expect(
              form.contains("|") || form == form.lowercased(), "\(words) is answered by \(form)")
          }
          refused += 1
        }
      }
    }
    #expect(refused > 50)
  }

  @Test(arguments: [["--language", "ko", "exprot"], ["--bad", "--language=ko", "--worse"]])
  func `a mistake is told in the language that was asked for`(words: [String]) {
    expect(Self.table.values(speakingAs: words).language, .ko)
  }

  @Test func `a file that is named wins over the server of the settings`() throws {
    var defaults = MarketOptions()
    defaults.server = "home"
    var expected = MarketOptions()
    expected.storePath = "a"

    try expect(read(["--store", "a"], defaults: defaults).options, expected)
  }

  @Test(arguments: [
    "admin seller", "admin seller sell", "admin seller block", "admin seller block x",
    "admin seller block 1 2", "admin delete",
    "admin delete x", "admin delete -- -1", "admin seller set --id 0",
    "admin seller set --id 268435456",
    "admin seller block 1 --id 2", "admin delete 1 --name x", "admin delete 1 --server http://a",
    "admin", "admin password", "admin password x", "admin password 1 2",
    "admin password 1 --name x",
  ])
  func `an order that is not whole is a mistake`(line: String) {
    #expect(throws: CommandLineError.self) {
      try read(line.split(separator: " ").map(String.init))
    }
  }

  @Test func `what is listed is asked for by options`() throws {
    let words = "list --search bike --sort price-asc --filter on-sale --filter in-stock --limit 3"

    let listing = try read(words.split(separator: " ").map(String.init)).options.listing

    expect(listing.request, SearchRequest(reading: "bike sort:price-asc sale stock"))
    let dearest = try read(["list", "--search", "sort:price-desc"]).options.listing
    expect(dearest.request.order, .priceDescending)
    expect(listing.limit, 3)
  }

  @Test func `an option in the wrong place is told with the command`() {
    let mistake = CommandLineError.optionOfOthers("--search", command: "market")

    expect(mistake.text(Strings(.english)).string, "market does not take --search (see --help)")
    expect(mistake.text(Strings(.korean)).string, "market에는 --search 옵션이 없습니다 (--help 참고)")
  }

  @Test func `everything behind serve is for the server`() throws {
    let read = try read(["serve", "--help", "--listen", "x", "--language", "ko"])

    #expect(read.command == "serve" && read.options.language == .ko)
  }

  @Test func `every field of a product but its password has an option of its own`() throws {
    let names = ProductField.allCases.compactMap(\.option?.name)

    expect(Set(names).count, ProductField.allCases.count - 1)
    for (field, option) in ProductField.allCases.map({ ($0, $0.option) }) where field != .pictures {
      guard let option else { continue }
      let value = field.kind == .flag ? [] : ["7"]
      let entries = try read(["new", option.name] + value).options.selling.entries
      expect(entries.texts, [field: value.first ?? "yes"])
    }
    try expect(
      read(["edit", "1", "--photo", "a", "--photo", "b"]).options.selling.entries.photos,
      ["a", "b"])
  }

  @Test func `what an edit says of a sale is said of the fields behind it`() throws {
    func texts(_ options: String...) throws -> [ProductField: String] {
      try read(["edit", "12"] + options).options.selling.editEntries().texts
    }

    try expect(texts("--reserved"), [.reserved: "yes"])
    try expect(texts("--not-reserved"), [.reserved: ""])
    try expect(texts("--sold", "--price", "5"), [.stock: "0", .price: "5"])
    #expect(throws: CommandLineError.self) { try read(["new", "--sold"]) }
  }

  @Test(arguments: [
    ("--sold --reserved", ["--sold", "--reserved"]),
    ("--reserved --not-reserved", ["--reserved", "--not-reserved"]),
    ("--not-reserved --reserved", ["--reserved", "--not-reserved"]),
    ("--stock 0 --reserved", ["--stock 0", "--reserved"]),
    ("--sold --stock 5", ["--sold", "--stock"]),
    ("--stock 5 --sold", ["--sold", "--stock"]),
    ("--from-file a.json --sold", ["--from-file", "--sold"]),
    ("--from-file a.json --not-reserved", ["--from-file", "--not-reserved"]),
    ("--from-file a.json --name Cup", ["--from-file", "--name"]),
    ("--from-file a.json --photo cup.jpg", ["--from-file", "--photo"]),
  ])
  func `options of an edit that contradict each other are both named`(
    line: String, named: [String]
  ) {
    let ids = line.hasPrefix("--from-file") ? [] : ["12"]

    #expect(throws: CommandLineError.contradiction(named[0], named[1])) {
      try read(["edit"] + ids + line.split(separator: " ").map(String.init))
    }
  }

  @Test func `null in a file of changes takes away what a product may lack`() throws {
    func texts(_ json: String) throws -> [ProductField: String]? {
      try BulkRequest.read(.edit, Array(json.utf8)).items.first?.entries.texts
    }

    try expect(
      texts(#"{"id":1,"category":null,"condition":null,"place":null,"reserved":null}"#),
      [.category: "", .condition: "", .place: "", .reserved: ""])
    for field in [ProductField.stock, .discount, .name, .price, .currency] {
      #expect(throws: BulkRequestError.product(number: 1, .badValue(field))) {
        try texts(#"{"id":1,"\#(field.rawValue)":null}"#)
      }
    }
  }

  // MARK: Laws

  @Test func `every command is explained in both languages, with two examples that it reads`() {
    let laws = TableLaws(Self.table)

    expect(laws.unexplained, [])
    expect(laws.misreadExamples, [])
  }

  @Test func `every option and its values stand in the help, the manual and the completion`() {
    let laws = TableLaws(Self.table)

    expect(laws.hiddenOptions, [])
    expect(laws.hiddenValues, [])
    expect(laws.ambiguousOptions, [])
  }

  @Test func `help fits a terminal of 80 columns`() {
    expect(TableLaws(Self.table).wideLines, [])
  }

  @Test(arguments: Language.allCases)
  func `the manual has its parts in their order, with all keys and settings`(language: Language) {
    let strings = Strings(language)
    let page = HelpPage(Self.table, strings).manual

    let headings = page.split(separator: "\n").filter { $0.hasPrefix(".SH ") }.map {
      $0.dropFirst(4)
    }
    let phrases: [Phrase] = [
      .manName, .manSynopsis, .manDescription, .manCommands, .helpOptions, .manKeys, .manSearch,
      .manSettings, .manAlerts, .manImport, .manSelling, .manAsking, .manPasswords, .manMoving,
      .manBackup,
      .manSSH,
      .manSSHKey, .manLog,
      .helpExamples, .manEnvironment, .manFiles, .manExitStatus, .manSeeAlso,
    ]
    expect(headings.map(String.init), phrases.map { strings[$0].string.uppercased() })
    for name in NamedKeyCommand.all.map(\.name)
      + Settings.keptOptions.map({ String($0.name.dropFirst(2)) })
    {
      #expect(page.contains(name.replacing("-", with: "\\-")))
    }
  }

  @Test func `units of systemd can be copied as they stand`() throws {
    let text = try HelpPage(Self.table, Strings(.english)).text(on: ["alerts"])

    #expect(text.contains("\n[Timer]\nOnCalendar=*:0/15\n\n[Install]\nWantedBy=timers.target"))
  }

  @Test func `servers that are remembered are offered`() {
    let settings = Settings(#"{ "servers": { "work": "http://w/", "home": "http://h/" } }"#)
    let completer = Completer(MarketCommands(settings: settings).table, Strings(.english))

    expect(completer.lines(for: ["--server", ""]), ["home", "work"])
    expect(completer.lines(for: ["list", "--server", "w"]), ["work"])
  }
}
