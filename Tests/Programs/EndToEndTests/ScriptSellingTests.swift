import Expectations
import HTTPTestSupport
import TerminalTestSupport
import TestSupport
import Testing

/// The runs that change products and need no screen.
@Suite(.ownThread) struct ScriptSellingTests {
  private static let password = "p4ss-사과나무"

  /// A program and the words that name its market; a server lives as long as this.
  private struct Market {
    let program: MarketProgram
    let server: TrialServer?
    let words: [String]
    let kind: MarketKind

    init(_ kind: MarketKind) async throws {
      self.kind = kind
      let trial = GeneratedMarket.rows(3)
      program = try await MarketProgram(kind == .local ? trial : nil)
      server = kind == .local ? nil : try await TrialServer(trial)
      let address = server.map { ["--server", $0.address] } ?? []
      words = address + (kind.generation.map { ["--api", $0] } ?? []) + ["--language", "en"]
      try program.addPhoto("bike.jpg", fixture: "baseline.jpg")
    }

    func run(_ arguments: [String], typing input: String = password + "\n") throws -> PipedRun {
      try program.run(arguments + words, input: input)
    }

    private var newBike: [String] {
      let seller = kind.knowsSellers ? ["--seller", "Hana"] : []
      let photo = ["--photo", program.path(of: "bike.jpg")]
      return
        ["new", "--name", "Road bike", "--price", "240000", "--description", "Ridden for a year."]
        + photo + seller
    }

    func register(_ more: [String] = [], typing input: String = password + "\n") throws -> PipedRun
    {
      try run(newBike + more, typing: input)
    }

    /// Registers from a thread that waits for it, so that another run can do the same at once.
    func registration(_ further: String...) -> @Sendable () async -> PipedRun? {
      let (program, arguments) = (program, newBike + words + further)
      return {
        await withCheckedContinuation { continuation in
          runOnDetachedThread {
            continuation.resume(returning: try? program.run(arguments, input: password + "\n"))
          }
        }
      }
    }
  }

  private func id(_ run: PipedRun) throws -> String {
    String(try #require(run.output.split(separator: "\n").first).dropFirst("id\t".count))
  }

  @Test(arguments: [MarketKind.local, .server2023, .server2022, .server2021])
  func `a product is registered, changed and deleted`(_ kind: MarketKind) async throws {
    let market = try await Market(kind)

    let new = try market.register(["--stock", "2", "--discount", "40000"])
    let id = try id(new)
    #expect(new.errors == "" && new.exit == .exited(status: 0))
    #expect(new.output.hasPrefix("id\t4\nprice\t₩200,000\nstock\t2\n"))
    #expect(new.output.hasSuffix("Ridden for a year.\n"))

    let edit = try market.run(["edit", id, "--price", "100000", "--discount", "0", "--json"])
    #expect(edit.errors == "" && edit.exit == .exited(status: 0))
    #expect(edit.output.contains(#""price":100000,"discount":0,"stock":2,"#))

    let wrong = try market.run(["edit", id, "--stock", "0"], typing: "wrong\n")
    expect(wrong.exit, .exited(status: 3))
    expect(wrong.errors.split(separator: "\n").count, 1)

    let deleted = try market.run(["delete", id, "--yes"])
    #expect(deleted.output == "Deleted\n" && deleted.exit == .exited(status: 0))
    try expect(market.run(["show", id]).exit, .exited(status: 4))
    #expect(try !market.program.files().contains { $0.holds(Self.password) })
  }

  @Test func `a description comes through the pipe behind the password`() async throws {
    let market = try await Market(.local)

    let new = try market.register(
      ["--description", "-"], typing: Self.password + "\nFirst line.\nSecond line.\n")

    #expect(new.output.hasSuffix("\n\nFirst line.\nSecond line.\n"))
  }

  @Test func `a description beyond all limits leaves the product as it was`() async throws {
    let market = try await Market(.local)
    let id = try id(market.register())

    let edit = try market.run(
      ["edit", id, "--description", "-"],
      typing: Self.password + "\n" + String(repeating: "a", count: (1 << 20) + 1))

    expect(edit.exit, .exited(status: 1))
    expect(edit.errors, "market: The text on standard input is longer than 1 MB; shorten it\n")
    #expect(try market.run(["show", id]).output.hasSuffix("\n\nRidden for a year.\n"))
  }

  @Test(arguments: [
    (["--price", "12a"], "Price: Not an amount, such as 12,000 or 12.50"),
    (["--price", "-5"], "Price: Cannot be below 0"),
    (["--price", "12.50"], "Price: No decimals in KRW; check the currency"),
    (["--currency", "EUR"], "Currency: This market takes KRW, USD; choose one of them"),
    (["--name", "Ab"], "Name: At least 3 characters"),
    (["--name", ""], "Name: Required"),
    (["--discount", "240001"], "Discount: More than the price (240,000)"),
    (["--photo", "/none.jpg"], "/none.jpg: No such file"),
  ])
  func `the rules of the form hold, in one sentence`(
    options: [String], sentence: String
  ) async throws {
    let market = try await Market(.local)

    let run = try market.register(options)

    expect(run.exit, .exited(status: 1))
    expect(run.errors, "market: \(sentence)\n")
    expect(run.output, "")
    try expect(market.run(["list"]).output.split(separator: "\n").count, 3)
  }

  @Test func `who has no name yet is told how to say it`() async throws {
    let market = try await Market(.local)

    let run = try market.run(
      [
        "new", "--name", "Road bike", "--price", "1", "--description", "Ridden for a year.",
        "--photo", market.program.path(of: "bike.jpg"),
      ])

    #expect(run.errors.contains("--seller NAME"))
  }

  @Test func `all that a new product lacks is told at once, before a password is asked for`()
    async throws
  {
    let market = try await Market(.local)

    let run = try market.run(["new", "--name", "Road bike"], typing: "")

    expect(run.exit, .exited(status: 2))
    expect(
      run.errors,
      """
      market: A new product also needs --photo FILE, --price AMOUNT, --description TEXT|- and \
      --seller NAME

      """)
  }

  @Test(arguments: [MarketKind.local, .server2023])
  func `another name than the seller's is refused, and nothing is renamed or listed`(
    kind: MarketKind
  ) async throws {
    let market = try await Market(kind)
    try expect(market.register().exit, .exited(status: 0))
    let before = try market.run(["list"]).output

    let run = try market.run(
      ["new", "--name", "Bike", "--price", "1", "--description", "Ridden for a year."]
        + ["--photo", market.program.path(of: "bike.jpg"), "--seller", "Zed"])

    #expect(run.exit == .exited(status: 1) && run.output.isEmpty)
    #expect(run.errors.contains("You sell here as Hana") && run.errors.contains("N in the market"))
    try expect(market.run(["list"]).output, before)
    try expect(market.register().exit, .exited(status: 0))
  }

  @Test(arguments: [" Hana ", "Hana\t", "\u{3000}Hana"])
  func `blanks around the seller's name and groups in the stock are nothing`(
    seller: String
  ) async throws {
    let market = try await Market(.local)
    try expect(market.register().exit, .exited(status: 0))

    for stock in ["1.000", "1,000"] {
      let run = try market.run(
        ["new", "--name", "Bike", "--price", "1", "--description", "Ridden for a year."]
          + ["--photo", market.program.path(of: "bike.jpg"), "--stock", stock, "--json"]
          + ["--seller", seller])

      expect(run.exit, .exited(status: 0), "\(run.errors)")
      #expect(run.output.contains(#""stock":1000,"#))
    }
  }

  @Test func `who sells is on the disk before anything is registered`() async throws {
    let market = try await Market(.local)
    // A folder in the place of the lock file cannot be locked, and nothing is written.
    _ = try market.program.runShell("mkdir -p ~/.config/market/.lock")

    let run = try market.register()

    #expect(run.exit == .exited(status: 1) && run.output.isEmpty)
    #expect(run.errors.contains("your seller identifier could not be saved"))
    #expect(try !market.run(["list"]).output.contains("Road bike"))
  }

  @Test func `two runs that register at once are one seller, and neither product is lost`()
    async throws
  {
    for _ in 0..<8 {
      let market = try await Market(.local)

      // Two that say the same may be one that is tried again.
      let registers = [market.registration(), market.registration("--stock", "7")]
      async let first = registers[0]()
      async let second = registers[1]()
      let exits = await [first, second].map { $0?.exit }

      expect(exits, [.exited(status: 0), .exited(status: 0)])
      let accounts = try market.program.files().map { String(decoding: $0.bytes, as: UTF8.self) }
        .filter { $0.hasPrefix("identifier ") }
      expect(accounts.count, 1)
      expect(accounts.first?.split(separator: "\n").count { $0.hasPrefix("product ") }, 2)
    }
  }

  @Test func `a file of products is registered one by one, and what fails stops no other`()
    async throws
  {
    let market = try await Market(.local)
    let bike = #""price":1000,"description":"Ridden for a year.","pictures":["bike.jpg"]"#
    try market.program.addFile(
      "bikes.json",
      """
      [{"name":"Red bike",\(bike)}, {"name":"Old bike",\(bike),"discount":"much"},
       {"name":"No price"}, {"id":9,"name":"Blue bike","stock":3,\(bike)}]
      """)

    let run = try market.run(
      [
        "new", "--from-file", market.program.path(of: "bikes.json"), "--seller", "Hana", "--price",
        "7",
      ])

    expect(run.exit, .exited(status: 1))
    let lines = run.output.split(separator: "\n")
    expect(lines.count, 2)
    #expect(lines.first?.hasSuffix("Red bike") == true && lines.last?.contains("₩7\t3") == true)
    expect(
      run.errors,
      """
      market: Product 2: Discount: Not an amount, such as 12,000 or 12.50
      market: Product 3: The product also needs pictures, description

      """)
    let list = try market.run(["list"]).output
    #expect(list.contains("Red bike") && list.contains("Blue bike"))
  }

  @Test(arguments: [
    ("", "holds no products"), ("[1]", "holds no products"),
    ("{", "bikes.json:1: the file ends before its last bracket"),
  ])
  func `a file without products says so in one sentence`(text: String, sentence: String)
    async throws
  {
    let market = try await Market(.local)
    try market.program.addFile("bikes.json", text)

    let run = try market.run(
      ["new", "--from-file", market.program.path(of: "bikes.json"), "--seller", "Hana"])

    expect(run.exit, .exited(status: 1))
    #expect(run.errors.contains(sentence) && run.errors.split(separator: "\n").count == 1)
  }

  @Test(
    arguments: [
      ("bikes.json", nil, 1, "bikes.json cannot be read; check the path"),
      ("", nil, 1, "cannot be read; check the path"),
      ("bikes.json", "\u{FEFF}\0\u{1}\u{2}", 1, "bikes.json:1: a value is expected"),
      ("bikes.json", #"{"name":"Red bike"}"#, 2, "bikes.json:1: nothing may follow"),
      ("bikes.json", "[", 100_000, "bikes.json:1: brackets are nested too deeply"),
      ("bikes.json", " ", 16 << 20 + 1, "bikes.json is too large"),
      ("bikes.json", "{}\n", 10_001, "bikes.json is too large"),
    ] as [(String, String?, Int, String)])
  func `a file that cannot be taken says why in one sentence, and nothing is registered`(
    name: String, text: String?, count: Int, sentence: String
  ) async throws {
    let market = try await Market(.local)
    if let text { try market.program.addFile(name, String(repeating: text, count: count)) }

    let run = try market.run(
      ["new", "--from-file", market.program.path(of: name), "--seller", "Hana"])

    expect(run.exit, .exited(status: 1))
    #expect(run.errors.contains(sentence) && run.errors.split(separator: "\n").count == 1)
    try expect(market.run(["list"]).output.split(separator: "\n").count, 3)
  }

  @Test func `what a file says of another kind is told product by product`() async throws {
    let market = try await Market(.local)
    let rest = #""description":"Ridden for a year.","seller":{"name":"x"},"pictures":["bike.jpg"]"#
    try market.program.addFile(
      "bikes.json",
      """
      {"name":7,"price":1,\(rest)}
      {"name":"Two bikes","price":"one",\(rest)}
      {"name":"Half a bike","price":0.5,\(rest)}
      {"name":"No picture","price":1,"description":"Ridden for a year.","pictures":"bike.jpg"}
      {"name":"Lost picture","price":1,"description":"Ridden for a year.","pictures":["none.jpg"]}
      {"name":"Text picture","price":1,"description":"Ridden for a year.","pictures":["bikes.json"]}
      {"name":"Red \\u0000bike","price":1e99,\(rest)}
      {"name":"Good bike","price":1,\(rest)}

      """)

    let run = try market.run(
      ["new", "--from-file", market.program.path(of: "bikes.json"), "--seller", "Hana"])

    expect(run.exit, .exited(status: 1))
    let errors = run.errors.split(separator: "\n")
    try #require(errors.count == 7)
    for (number, sentence) in [
      "Name: Not text", "Price: Not an amount", "Price: ", "Photos: Not a list of photos",
      "none.jpg: No such file", "bikes.json: ", "",
    ].enumerated() {
      #expect(errors[number].hasPrefix("market: Product \(number + 1): "))
      #expect(errors[number].contains(sentence))
    }
    #expect(run.output.split(separator: "\n").count == 1 && run.output.contains("Good bike"))
  }

  @Test func `who types one password for several sees what they are called`() async throws {
    let market = try await Market(.local)
    let ids = try (1...2).map { _ in try id(try market.register()) }
    for (command, options) in [("edit", ["--stock", "7"]), ("delete", ["--yes"])] {
      let words = [command] + ids + ["99"] + options + ["--language", "en"]
      let session = try market.program.open(words: words)

      try session.wait(forText: "Password (not shown):")
      let lines = session.screen.lines
      let prompt = try #require(lines.firstIndex { $0.hasPrefix("Password (not shown):") })
      #expect(prompt >= 3)
      expect(
        Array(lines[max(0, prompt - 3)..<prompt]),
        ["\(ids[0])  Road bike", "\(ids[1])  Road bike", "99  Deleted"])
      session.type(KeyScript(Self.password + "<Enter>"))

      try expect(session.waitForExit(), .exited(status: 4))
    }
    try expect(market.run(["list"]).output.split(separator: "\n").count, 3)
  }

  @Test(arguments: [MarketKind.local, .server2023])
  func `each product becomes what a file of changes says, with a result for each`(
    _ kind: MarketKind
  ) async throws {
    let market = try await Market(kind)
    let ids = try (1...2).map { _ in try id(try market.register()) }
    let other = try id(try market.register(typing: "another\n"))
    try market.program.addFile(
      "changes.json",
      """
      [{"id":\(ids[0]),"price":100000,"name":"Cheap bike"}, {"id":\(other),"stock":5},
       {"id":99,"stock":5}, {"id":\(ids[1]),"price":-1}, {"id":\(ids[1])0,"stock":5}]
      """)

    let run = try market.run(
      ["edit", "--from-file", market.program.path(of: "changes.json"), "--json"])

    #expect(run.exit == .exited(status: 1) && run.errors == "")
    let lines = run.output.split(separator: "\n")
    expect(
      lines.first,
      #"{"id":\#(ids[0]),"result":"done","before":{"price":240000,"currency":"KRW"},"#
        + #""after":{"price":100000,"currency":"KRW"}}"#)
    expect(
      lines.dropFirst().map { $0.split(separator: ",")[1] },
      [
        #""result":"wrong-password""#, #""result":"gone""#, #""result":"failed""#,
        #""result":"gone""#,
      ])
    let first = try market.run(["show", ids[0], "--json"]).output
    #expect(first.contains(#""name":"Cheap bike""#) && first.contains(#""price":100000"#))
    #expect(try market.run(["show", ids[1], "--json"]).output.contains(#""price":240000"#))
  }

  @Test
  func `a price for several currencies, or more than ten times another, changes nothing unasked`()
    async throws
  {
    let market = try await Market(.local)
    let won = try id(market.register())
    let dollars = try id(market.register(["--currency", "USD", "--price", "30"]))

    let mixed = try market.run(["edit", won, dollars, "--price", "5.50"])
    let low = try market.run(["edit", won, "--price", "23999"])
    let high = try market.run(["edit", won, "--price", "2400001", "--stock", "9"])
    let atLimit = try market.run(["edit", won, "--price", "24000"])
    let sure = try market.run(["edit", won, "--price", "240001", "--yes"])

    expect(
      [mixed, low, high, atLimit, sure].map(\.exit), [2, 2, 2, 0, 0].map { .exited(status: $0) })
    #expect(mixed.errors.contains("(KRW \(won); USD \(dollars))"))
    #expect(low.errors.contains("\(won): ₩240,000 → ₩23,999") && low.output.isEmpty)
    #expect(atLimit.output.contains("\npriceChange\t₩240,000 → ₩24,000\n"))
    #expect(sure.output.contains("stock\t1\n"))
  }

  @Test(arguments: [MarketKind.local, .server2023])
  func `a product is reserved, sold and back by its options, and as a file says`(
    _ kind: MarketKind
  ) async throws {
    let market = try await Market(kind)
    let ids = try (1...2).map { _ in try id(try market.register(["--stock", "2"])) }
    func found(_ filter: String) throws -> [String] {
      try market.run(["list", "--filter", filter]).output.split(separator: "\n").map {
        String($0.prefix { $0 != "\t" })
      }
    }

    _ = try market.run(["edit", ids[0], "--reserved"])
    try expect(found("reserved"), [ids[0]])
    _ = try market.run(["edit", ids[0], "--not-reserved"])
    try expect(found("reserved"), [])
    let sold = try market.run(["edit", ids[0], "--sold"])
    #expect(sold.errors == "" && sold.output.contains("stock\t0"))
    try expect(found("sold"), [ids[0]])
    let refused = try market.run(["edit", ids[0], "--reserved"])
    #expect(refused.exit == .exited(status: 1) && refused.output == "")
    expect(
      refused.errors, "market: Sold products cannot be reserved; put them back in stock first\n")

    try market.program.addFile(
      "changes.json",
      """
      {"id":\(ids[0]),"reserved":true,"stock":1}
      {"id":\(ids[1]),"reserved":true}
      """)
    let path = market.program.path(of: "changes.json")
    try expect(market.run(["edit", "--from-file", path]).exit, .exited(status: 0))
    try expect(found("reserved"), [ids[1], ids[0]])
    try market.program.addFile("changes.json", #"{"id":\#(ids[1]),"reserved":false}"#)
    try expect(market.run(["edit", "--from-file", path]).exit, .exited(status: 0))
    try expect(found("reserved"), [ids[0]])
  }

  @Test func `--sold works on a market without reservations, and --reserved says why not`()
    async throws
  {
    let market = try await Market(.server2021)
    let id = try id(try market.register())

    let refused = try market.run(["edit", id, "--reserved"])
    let sold = try market.run(["edit", id, "--sold"])

    #expect(refused.exit == .exited(status: 1) && refused.errors.hasPrefix("market: Reserved: "))
    #expect(sold.exit == .exited(status: 0) && sold.output.contains("stock\t0"))
  }

  @Test func `changes come through the pipe behind the password, an object a line`() async throws {
    let market = try await Market(.local)
    let ids = try (1...2).map { _ in try id(try market.register()) }
    let changes = ids.map { #"{"id":\#($0),"stock":9}"# }.joined(separator: "\n\n")

    let run = try market.run(
      ["edit", "--from-file", "-"], typing: Self.password + "\n" + changes + "\n")

    expect(run.output, "\(ids[0]): Saved\n\(ids[1]): Saved\n")
    expect(run.exit, .exited(status: 0))
    for id in ids { #expect(try market.run(["show", id]).output.contains("stock\t9\n")) }
  }

  @Test(arguments: [MarketKind.local, .server2023, .server2021])
  func `each product that a file names is deleted, with a result for each`(
    _ kind: MarketKind
  ) async throws {
    let market = try await Market(kind)
    let ids = try (1...2).map { _ in try id(try market.register()) }
    let other = try id(try market.register(typing: "another\n"))
    // Lines as they were printed, and some written by hand.
    let printed = try market.run(["list", "--json"]).output.split(separator: "\n")
      .filter { $0.contains("Road bike") }
    try market.program.addFile("sold.json", (printed + ["{\"id\":99}"]).joined(separator: "\n"))
    let path = market.program.path(of: "sold.json")

    let unsure = try market.run(["delete", "--from-file", path])
    let run = try market.run(["delete", "--from-file", path, "--yes", "--json"])

    expect(unsure.exit, .exited(status: 2))
    #expect(run.exit == .exited(status: 3) && run.errors == "")
    let results = run.output.split(separator: "\n")
      .map { $0.split(separator: ",").prefix(2).joined(separator: ",") }
    expect(
      Set(results),
      [
        #"{"id":\#(ids[0]),"result":"done"}"#, #"{"id":\#(ids[1]),"result":"done"}"#,
        #"{"id":\#(other),"result":"wrong-password""#, #"{"id":99,"result":"gone""#,
      ])
    try expect(market.run(["list"]).output.split(separator: "\n").count, 4)
  }

  @Test(arguments: [
    ("", " contains no products;"), ("[]", " contains no products;"),
    ("[7]", ": product 1: \"id\" is missing;"), ("[{}]", ": product 1: \"id\" is missing;"),
    (#"[{"id":"one","stock":1}]"#, ": product 1: \"id\" is missing;"),
    (#"[{"id":1,"stock":1},{"id":1,"stock":2}]"#, ": product 2: \"id\": 1 appears twice;"),
    (#"[{"id":1,"colour":"red"}]"#, ": product 1: unknown field “colour” (category, condition, "),
    (#"[{"id":1,"stock":[1]}]"#, ": product 1: stock: Not a whole number, such as 3"),
    ("{\"id\":1,\"stock\":1}\n{", ":2: the file ends before its last bracket;"),
    (
      #"[{"id":1,"stock":1},{"id":2,"pictures":["bike.jpg"]}]"#,
      ": product 2: unknown field “pictures” ("
    ),
  ])
  func `a file of changes is taken as a whole or not at all`(text: String, sentence: String)
    async throws
  {
    let market = try await Market(.local)
    let path = market.program.path(of: "changes.json")
    try market.program.addFile("changes.json", text)

    // A file that cannot be read causes no prompt for a password.
    let run = try market.run(["edit", "--from-file", path], typing: "")

    #expect(run.exit == .exited(status: 2) && run.output == "")
    #expect(run.errors.hasPrefix("market: \(path)\(sentence)"), "\(run.errors)")
  }

  @Test func `a file of changes that is not there is one sentence`() async throws {
    let market = try await Market(.local)

    for path in [market.program.path(of: "none.json"), market.program.path(of: "")] {
      let run = try market.run(["edit", "--from-file", path], typing: "")

      expect(run.exit, .exited(status: 2))
      #expect(run.errors.hasPrefix("market: \(path) cannot be read;"))
    }
  }

  @Test func `a password is never an argument, and without one nothing is asked`() async throws {
    let market = try await Market(.local)

    let silent = try market.run(["delete", "1", "--yes"], typing: "")
    let unsure = try market.run(["delete", "1"])
    let open = try market.run(["delete", "1", "--yes", "--password", "x"])

    expect(silent.exit, .exited(status: 2))
    #expect(silent.errors.contains("first line of standard input"))
    expect(unsure.exit, .exited(status: 2))
    expect(open.exit, .exited(status: 2))
    try expect(market.run(["list"]).output.split(separator: "\n").count, 3)
  }

  @Test func `what is not there is told by the status, whatever is asked of it`() async throws {
    let market = try await Market(.server2023)

    try expect(market.run(["edit", "9", "--stock", "1"]).exit, .exited(status: 4))
    try expect(market.run(["delete", "9", "--yes"]).exit, .exited(status: 4))
  }

  @Test func `at a terminal the password is typed unseen`() async throws {
    let market = try await Market(.local)
    let id = try id(try market.register())
    let session = try market.program.open(
      words: ["edit", id, "--stock", "7", "--language", "en"])

    try session.wait(forText: "Password (not shown):")
    session.type(KeyScript(Self.password + "<Enter>"))
    _ = try session.waitForExit()

    #expect(session.screen.contains("7"))
    #expect(!session.screen.contains("사과나무"))
  }
}

extension FileContent {
  fileprivate func holds(_ text: String) -> Bool {
    String(decoding: bytes, as: UTF8.self).contains(text)
  }
}
