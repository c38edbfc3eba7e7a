import MarketModel
import MarketMoving
import MarketStore
import MarketStrings
import SafeText
import StoreCore
import Testing

@testable import market

@Suite struct InvocationTests {
  @Test func `no words browse the default market`() throws {
    #expect(try Invocation([], defaults: MarketOptions()) == .browse(MarketOptions()))
  }

  @Test func `a value stands behind its option or behind an equals sign`() throws {
    var expected = MarketOptions()
    expected.storePath = "/tmp/a"
    expected.theme = .light

    let invocation = try Invocation(
      ["--store", "/tmp/a", "--theme=light"], defaults: MarketOptions())

    #expect(invocation == .browse(expected))
  }

  @Test func `the command line wins over the settings`() throws {
    var defaults = MarketOptions()
    defaults.view = .list
    var expected = defaults
    expected.view = .grid

    #expect(try Invocation(["--view", "grid"], defaults: defaults) == .browse(expected))
  }

  @Test func `a market that is named wins over the one of the settings`() throws {
    var defaults = MarketOptions()
    defaults.storePath = "home.market"
    var server = defaults
    server.storePath = nil
    server.server = "http://market.example"

    #expect(
      try Invocation(["--server", "http://market.example"], defaults: defaults) == .browse(server))
    #expect(try Invocation(["--store", "home.market"], defaults: server) == .browse(defaults))
  }

  @Test(
    arguments: [
      (["--colour"], .unknownOption("--colour")),
      (["--sotre", "a"], .unknownOption("--sotre", meant: "--store")),
      (["--theme"], .missingValue("--theme auto|dark|light")),
      (["--page-size", "0"], .badValue(option: "--page-size", value: "0", expected: "1-1000")),
      (["generate"], .missingArgument("generate N")),
      (["show"], .missingArgument("show ID")),
      (["show", "x"], .badValue(option: "show", value: "x", expected: "ID")),
      (["list", "--limit", "0"], .badValue(option: "--limit", value: "0", expected: "N")),
      (["buy"], .unknownCommand("buy")),
      (["exprot", "a"], .unknownCommand("exprot", meant: "export")),
      (["--store", "a", "--server", "b"], .contradiction("--store", "--server")),
      (["--server", "b", "export", "-"], .optionOfOthers("--server", command: "export")),
      (["--search", "x"], .optionOfOthers("--search", command: nil)),
      (["list", "--theme=dark"], .optionOfOthers("--theme", command: "list")),
      (["show", "1", "--limit", "2"], .optionOfOthers("--limit", command: "show")),
      (["delete", "1"], .missingArgument("delete ID --yes")),
      (["edit", "x"], .badValue(option: "edit", value: "x", expected: "ID")),
      (["--remember", "home"], .missingValue("--server URL")),
      (["identity", "3424eb5f"], .unexpectedArgument("3424eb5f")),
      (["sample", "more"], .unexpectedArgument("more")),
    ] as [([String], CommandLineError)])
  func `a mistake is named`(words: [String], mistake: CommandLineError) {
    #expect(throws: mistake) { try Invocation(words, defaults: MarketOptions()) }
  }

  @Test(
    arguments: [
      [], ["sample"], ["generate", "5"], ["doctor"], ["identity"], ["identity", "enter"],
    ])
  func `a database is for the server program, whoever else is asked for it`(words: [String]) {
    let words = words + ["--store", "postgresql://market:secret@db.example/market"]

    #expect(throws: CommandLineError.database) {
      try Invocation(words, defaults: MarketOptions())
    }
    #expect(
      CommandLineError.database.text(Strings(.english)).string
        == "A database is opened by “market serve --store postgresql://…”; then browse it with "
        + "“market --server URL”")
    #expect(
      CommandLineError.database.text(Strings(.korean)).string
        == "데이터베이스는 “market serve --store postgresql://…”로 열고 “market --server URL”로 둘러보세요")
  }

  @Test(arguments: [[], ["list"], ["sample"], ["export", "-"]])
  func `libpq's own form of an address is no file`(words: [String]) {
    #expect(throws: CommandLineError.address(.pairs)) {
      try Invocation(words + ["--store", "host=db dbname=market"], defaults: MarketOptions())
    }
    #expect(throws: Never.self) {
      try Invocation(words + ["--store", "./host=db"], defaults: MarketOptions())
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
      try Invocation(words, defaults: MarketOptions())
    }

    for language in Language.allCases {
      let text = mistake.text(Strings(language)).string
      #expect(!text.contains("secret"), "\(text)")
    }
  }

  @Test(arguments: [["--language", "ko", "exprot"], ["--bad", "--language=ko", "--worse"]])
  func `a mistake is told in the language that was asked for`(words: [String]) {
    #expect(MarketOptions().speaking(as: words).language == .ko)
  }

  @Test func `a file that is named wins over the server of the settings`() throws {
    var defaults = MarketOptions()
    defaults.server = "home"
    var expected = MarketOptions()
    expected.storePath = "a"

    #expect(try Invocation(["--store", "a"], defaults: defaults) == .browse(expected))
  }

  @Test(
    arguments: [
      ("seller set", .setSeller()),
      (
        "seller set --id 6 --name Hana",
        .setSeller(number: Seller.ID(rawValue: 6), name: "Hana")
      ), ("seller block 0", .setBlocked(true, Seller.guest.id)),
      ("seller unblock 7 --store a", .setBlocked(false, Seller.ID(rawValue: 7))),
      ("remove 1 2", .remove([Product.ID(rawValue: 1), Product.ID(rawValue: 2)])),
    ] as [(String, OperatorOrder)])
  func `orders of whoever runs a market are read, and written for the server program`(
    line: String, order: OperatorOrder
  ) throws {
    let words = line.split(separator: " ").map(String.init)

    guard case .operate(let read, _) = try Invocation(words, defaults: MarketOptions()) else {
      Issue.record("read as something else")
      return
    }

    #expect(read == order)
    #expect(order.words == Array(words.prefix(order.words.count)))
  }

  @Test(arguments: [
    "seller", "seller sell", "seller block", "seller block x", "seller block 1 2", "remove",
    "remove x", "remove -- -1", "seller set --id 0", "seller set --id 268435456",
    "seller block 1 --id 2", "remove 1 --name x", "remove 1 --server http://a",
  ])
  func `an order that is not whole is a mistake`(line: String) {
    #expect(throws: CommandLineError.self) {
      try Invocation(line.split(separator: " ").map(String.init), defaults: MarketOptions())
    }
  }

  @Test func `the manual and the completion know every command and option`() {
    let names = Usage.commandNames + MarketOptions.parser.options.map(\.name)

    #expect(names.contains("export") && names.contains("--store"))
    for name in names {
      #expect(Usage.completion.contains(name))
      #expect(Manual.page.contains(name.split(separator: "-").joined(separator: "\\-")))
    }
  }

  @Test func `what is listed is asked for by options`() throws {
    let words = "list --search bike --order cheapest --filter reduced --filter in-stock --limit 3"

    let invocation = try Invocation(
      words.split(separator: " ").map(String.init), defaults: MarketOptions())

    guard case .list(let options) = invocation else {
      Issue.record("\(invocation)")
      return
    }
    #expect(
      options.listing.query
        == ProductQuery(text: "bike", order: .cheapest, filters: [.reduced, .inStock]))
    #expect(options.listing.limit == 3)
  }

  @Test func `an option in the wrong place is told with the command`() {
    let mistake = CommandLineError.optionOfOthers("--search", command: nil)

    #expect(mistake.text(Strings(.english)).string == "market does not take --search (see --help)")
    #expect(
      mistake.text(Strings(.korean)).string == "market에는 --search 옵션이 없습니다 (--help 참고)")
  }

  @Test func `every option belongs to a command, or to all`() {
    let commands = [nil] + Usage.commandNames.map(Optional.some)

    for option in MarketOptions.parser.options.map(\.name) {
      #expect(commands.contains { CommandOptions.isTaken(option, by: $0) }, "\(option)")
    }
  }

  @Test func `everything behind serve is for the server`() throws {
    let invocation = try Invocation(["serve", "--help"], defaults: MarketOptions())

    #expect(invocation == .serve(["--help"]))
  }

  @Test func `an order to move reaches the server program as it was given`() throws {
    var options = MarketOptions()
    options.isStrict = true

    let invocation = try Invocation(["import", "-", "--strict"], defaults: MarketOptions())

    guard case .move(let order, options) = invocation else {
      Issue.record("\(invocation)")
      return
    }
    #expect(order.words == ["import", "-", "--strict"])
  }
}
