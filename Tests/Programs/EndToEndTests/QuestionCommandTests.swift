import Expectations
import PostgresTestSupport
import TerminalTestSupport
import TestSupport
import Testing

/// Questions by commands alone: a seller and two others, each with a home and an identifier of their own.
@Suite(.ownThread) struct QuestionCommandTests {
  private static let hostile = "now[31m\u{202e}\t\r\nx\u{2028}"

  private struct People {
    let market: [String]
    let seller: MarketProgram
    let asker: MarketProgram
    let other: MarketProgram

    init(at market: [String], of seller: MarketProgram) async throws {
      self.market = market + ["--language", "en"]
      self.seller = seller
      asker = try await MarketProgram(nil)
      other = try await MarketProgram(nil)
      try seller.addPhoto("bike.jpg", fixture: "baseline.jpg")
    }

    /// Lists a bicycle for 240,000 won, and gives its number.
    func list() throws -> String {
      let new = try run(
        seller,
        [
          "new", "--name", "Road bike", "--price", "240000", "--currency", "KRW", "--description",
          "Ridden for a year.",
          "--seller", "Hana", "--photo", seller.path(of: "bike.jpg"),
        ])
      expect(new.exit, .exited(status: 0), "\(new.errors)")
      return String(try #require(new.output.split(separator: "\n").first).dropFirst("id\t".count))
    }

    func run(
      _ program: MarketProgram, _ words: [String], typing input: String = "sesame\n"
    ) throws -> PipedRun {
      try program.run(words + market, input: input)
    }
  }

  /// A product is asked about with an offer, answered and reserved in one step, and sold.
  private func trade(_ people: People) throws {
    let id = try people.list()
    func run(_ program: MarketProgram, _ words: String..., typing input: String = "sesame\n") throws
      -> PipedRun
    { try people.run(program, words, typing: input) }

    let asked = try run(
      people.asker, "ask", id, "Is it still there?", "--offer", "170000", "--seller", "Mina")
    expect(asked.exit, .exited(status: 0), "\(asked.errors)")
    let fields = asked.output.dropLast().split(separator: "\t", omittingEmptySubsequences: false)
    let question = String(fields[0])
    #expect(fields[1] == id && fields[3...] == ["Mina", "₩170,000", "Is it still there?", ""])
    let again = try run(people.asker, "ask", id, "Is it still there?", "--offer", "170000")
    expect(again.output, asked.output, "\(again.errors)")
    let piped = try run(people.other, "ask", id, "-", typing: "Which size?\nMine is 54.\n")
    #expect(piped.output.contains("\tguest\t\tWhich size?"), "\(piped.output) \(piped.errors)")

    let received = try run(people.seller, "questions", "--unanswered")
    expect(received.output.split(separator: "\n").count, 2, "\(received.errors)")
    let forged = try run(people.other, "answer", question, "Take it.", typing: "wrong\n")
    #expect(forged.exit == .exited(status: 3) && forged.output.isEmpty, "\(forged.errors)")
    let wrong = try run(
      people.seller, "answer", question, "It is yours.", "--reserve", typing: "wrong\n")
    expect(wrong.exit, .exited(status: 3), "\(wrong.errors)")
    let answered = try run(people.seller, "answer", question, "It is yours.", "--reserve", "--json")
    #expect(answered.output.contains(#""answer":"It is yours.""#), "\(answered.errors)")
    let shown = try run(people.other, "show", id, "--json")
    #expect(shown.output.contains(#""reserved":true"#), "\(shown.output)")
    #expect(shown.output.contains(#""questionCount":2,"unansweredCount":1"#), "\(shown.output)")
    #expect(try run(people.other, "show", id).output.contains("\nquestions\t2\n"))

    let mine = try run(people.asker, "questions", "--mine", "--json")
    #expect(
      mine.output.contains(#""answer":"It is yours.","#) && mine.output.contains(#""mine":true"#))
    let late = try run(people.asker, "questions", "delete", question)
    #expect(late.errors.contains("cannot be taken back"), "\(late.errors)")
    let sold = try run(people.seller, "edit", id, "--sold")
    expect(sold.exit, .exited(status: 0), "\(sold.errors)")
    let after = try run(people.other, "ask", id, "And now?")
    #expect(after.exit == .exited(status: 1) && after.errors.contains("This product is sold"))
    #expect(try run(people.other, "questions", id, "--limit", "1").output.contains("It is yours."))
    let deleted = try run(people.seller, "questions", "delete", question)
    expect(deleted.output, "Deleted\n", "\(deleted.errors)")
    try expect(run(people.other, "questions", id).output.split(separator: "\n").count, 1)
  }

  @Test func `a product is asked about, answered, reserved and sold in one file`() async throws {
    let program = try await MarketProgram(GeneratedMarket(products: []))
    try trade(try await People(at: ["--store", program.path(of: "trial.market")], of: program))
  }

  @Test func `a product is asked about, answered, reserved and sold on a server`() async throws {
    let server = try await TrialServer(GeneratedMarket(products: []))
    try trade(
      try await People(at: ["--server", server.address], of: try await MarketProgram(nil)))
  }

  @Test(.enabled(if: TestCluster.isPossible, Comment(rawValue: TestCluster.hint)))
  func `a product is asked about, answered, reserved and sold on a database`() async throws {
    let cluster = try TestCluster()
    let server = try TrialServer(of: cluster.emptySchema())
    try trade(
      try await People(at: ["--server", server.address], of: try await MarketProgram(nil)))
  }

  @Test func `what cannot be asked or answered is told in one sentence with its status`()
    async throws
  {
    let server = try await TrialServer(GeneratedMarket(products: []))
    let people = try await People(
      at: ["--server", server.address], of: try await MarketProgram(nil))
    let id = try people.list()
    let question = try people.run(people.asker, ["ask", id, "Is it there?"]).output.prefix {
      $0 != "\t"
    }
    func expectRefusal(
      _ sentence: String, _ status: Int32, _ program: MarketProgram, _ words: String...
    ) throws {
      let run = try people.run(program, words)
      expect(run.exit, .exited(status: status), "\(words) \(run.errors)")
      #expect(run.errors.contains(sentence) && run.output.isEmpty, "\(words) \(run.errors)")
      expect(run.errors.split(separator: "\n").count, 1, "\(run.errors)")
    }

    try expectRefusal("More than the price", 1, people.asker, "ask", id, "x", "--offer", "240001")
    try expectRefusal("Offer: ", 1, people.asker, "ask", id, "x", "--offer", "-5")
    try expectRefusal("Offer: Must be above 0", 1, people.asker, "ask", id, "x", "--offer", "0")
    try expectRefusal("Offer: Not an amount", 1, people.asker, "ask", id, "x", "--offer", "much")
    try expectRefusal("Offer: No decimals", 1, people.asker, "ask", id, "x", "--offer", "12.50")
    try expectRefusal("Question: Required", 1, people.asker, "ask", id, "  ")
    try expectRefusal(
      "Question: At most 500", 1, people.asker, "ask", id, String(repeating: "x", count: 501))
    try expectRefusal("your own product", 1, people.seller, "ask", id, "x")
    try expectRefusal("", 4, people.asker, "ask", "999", "x")
    try expectRefusal("There is no question 999", 4, people.seller, "answer", "999", "x")
    try expectRefusal("There is no question 999", 4, people.seller, "questions", "delete", "999")
    try expectRefusal("", 4, people.seller, "questions", "999")
    try expectRefusal("a question number", 2, people.seller, "answer", "seven", "x")
    let forged = try people.run(
      people.other, ["questions", "delete", String(question)], typing: "wrong\n")
    #expect(forged.exit == .exited(status: 3) && forged.output.isEmpty, "\(forged.errors)")
    try expectRefusal("Question: Required", 1, people.seller, "answer", String(question), " ")
    #expect(try people.run(people.other, ["questions"]).errors.contains("No questions"))
    try expect(
      people.run(people.asker, ["questions", "delete", String(question)]).output, "Deleted\n")
  }

  @Test func `markets that have no questions say so`() async throws {
    let server = try await TrialServer(.rows(3))
    let program = try await MarketProgram(nil)

    for words in [["ask", "1", "x"], ["questions", "1"], ["answer", "1", "x"]] {
      let run = try program.run(
        words + ["--server", server.address, "--api", "2021", "--language", "en"])
      #expect(run.exit == .exited(status: 1) && run.output.isEmpty)
      #expect(run.errors.contains("This market has no questions"), "\(run.errors)")
    }
  }

  @Test func `questions about what was registered under another identifier are listed`()
    async throws
  {
    let program = try await MarketProgram(GeneratedMarket(products: []))
    let people = try await People(at: ["--store", program.path(of: "trial.market")], of: program)
    let id = try people.list()
    // The identifier stands on the second line.
    _ = try program.runShell("sed -i 2s/./x/ ~/.config/market/seller-*")
    let own = try people.list()
    for id in [own, id] { _ = try people.run(people.asker, ["ask", id, "About \(id)?"]) }

    let all = try people.run(people.seller, ["questions"])
    let one = try people.run(people.seller, ["questions", "--unanswered", "--limit", "1"])

    #expect(all.output.contains("About \(id)?") && all.output.contains("About \(own)?"))
    expect(all.output.split(separator: "\n").count, 2, "\(all.output)")
    expect(one.output.split(separator: "\n").count, 1, "\(one.output)")
  }

  @Test func `foreign text in questions and answers neither acts nor divides a line`() async throws
  {
    let program = try await MarketProgram(GeneratedMarket(products: []))
    let market = ["--store", program.path(of: "trial.market")]
    let people = try await People(at: market, of: program)
    let id = try people.list()
    let asked = try people.run(
      people.asker, ["ask", id, "-", "--seller", "M\u{202e}x"], typing: Self.hostile)
    let question = String(asked.output.prefix { $0 != "\t" })
    expect(asked.exit, .exited(status: 0), "\(asked.errors)")
    _ = try people.run(people.seller, ["answer", question, "-"], typing: Self.hostile)
    let acting = try people.run(people.asker, ["ask", id, "-"], typing: "now\u{1b}[31m")
    #expect(acting.exit != .exited(status: 0) && acting.errors.contains("control characters"))

    let outputs = [
      try people.run(people.other, ["questions", id]),
      try people.run(people.other, ["questions", id, "--json"]),
      try people.run(people.seller, ["admin", "questions"]),
    ]

    for run in outputs {
      expect(run.output.split(separator: "\n").count, 1, "\(run.output) \(run.errors)")
      let controls = run.output.dropLast().unicodeScalars.filter { $0.value < 0x20 && $0 != "\t" }
      #expect(controls.isEmpty, "\(run.output)")
    }
    #expect(!outputs[0].output.contains("\u{202e}") && !outputs[2].output.contains("\u{202e}"))
    expect(outputs[0].output.count { $0 == "\t" }, 6)
    expect(outputs[2].output.count { $0 == "\t" }, 7)
  }

  @Test func `a terminal gets a line of facts and the texts below`() async throws {
    let program = try await MarketProgram(GeneratedMarket(products: []))
    let people = try await People(
      at: ["--store", program.path(of: "trial.market")], of: program)
    let id = try people.list()
    _ = try people.run(people.asker, ["ask", id, "Is it there?", "--offer", "1000"])
    _ = try people.run(people.seller, ["answer", "1", "Yes."])

    let session = try people.other.open(words: ["questions", id] + people.market)
    try session.wait(forText: "Seller: Yes.")

    let lines = session.screen.lines
    #expect(lines[0].hasPrefix("1  \(id)  ") && lines[0].contains("guest  ₩1,000"))
    #expect(lines[1].hasPrefix("Is it there?") && lines[2].hasPrefix("Seller: Yes."))
  }

  @Test func `an operator lists and deletes questions, and blocks their asker`() async throws {
    let program = try await MarketProgram(GeneratedMarket(products: []))
    let people = try await People(
      at: ["--store", program.path(of: "trial.market")], of: program)
    let id = try people.list()
    for text in ["One", "Two", "Three"] { _ = try people.run(people.asker, ["ask", id, text]) }
    _ = try people.run(people.other, ["ask", id, "Four"])
    func admin(_ words: String...) throws -> PipedRun {
      try people.run(people.seller, ["admin"] + words)
    }

    let all = try admin("questions")
    #expect(all.errors == "" && all.output.split(separator: "\n").count == 4)
    let newest = all.output.split(separator: "\n").map {
      $0.split(separator: "\t").map(String.init)
    }
    expect(newest.map(\.first), ["4", "3", "2", "1"])
    let asker = newest[1][2]
    try expect(admin("questions", "--by", asker).output.split(separator: "\n").count, 3)
    let one = try admin("questions", "delete", "1", "99")
    #expect(one.exit == .exited(status: 4) && one.output == "Deleted question 1\n")
    #expect(one.errors.contains("There is no question 99"))
    #expect(one.errors.contains("operator question-remove 1 ok"))
    _ = try admin("seller", "block", asker)
    try expect(people.run(people.other, ["questions", id]).output.split(separator: "\n").count, 1)
    let refused = try people.run(people.asker, ["ask", id, "Five"])
    expect(refused.exit, .exited(status: 1), "\(refused.errors)")
    let rest = try admin("questions", "delete", "--by", asker)
    expect(rest.output, "Deleted question 3\nDeleted question 2\n", "\(rest.errors)")
    #expect(try admin("questions").output.hasPrefix("4\t"))
    try expect(admin("questions", "delete").exit, .exited(status: 2))
    try expect(admin("questions", "delete", "4", "--by", asker).exit, .exited(status: 0))
    #expect(try admin("questions").output.isEmpty)
  }

  @Test func `guests ask and answer by ssh, and who has no key reads`() async throws {
    let door = try await GuestDoor(options: "--ssh-address market@market.example")
    let fixtures = "Tests/Fixtures/Pictures"
    _ = try door.runShell("$SSH $TARGET upload-photo < \(fixtures)/baseline.jpg")
    let new = "new --name 'Red bike' --price 9000 --description 'With 21 gears.' --seller Hana"
    try expect(door.run(new, input: "open sesame\n").exit, .exited(status: 0))

    let asked = try door.run("ask 46 'Is it there?' --offer 8000 --seller Mina", as: "two")
    let question = asked.output.prefix { $0 != "\t" }
    let forged = try door.run("answer \(question) No --reserve", as: "two", input: "wrong\n")
    let answered = try door.run(
      "answer \(question) 'It is yours.' --reserve", input: "open sesame\n")
    let list = try door.run("questions 46 --json", as: "two")

    #expect(asked.exit == .exited(status: 0) && asked.output.contains("₩8,000"), "\(asked.errors)")
    #expect(forged.exit != .exited(status: 0))
    #expect(answered.output.contains("It is yours."), "\(answered.errors)")
    #expect(list.output.contains(#""mine":true"#))
    #expect(try door.run("show 46", as: "two").output.contains("reserved"))
    let looking = try await GuestDoor(naming: false)
    #expect(try looking.run("ask 1 x").errors.contains("needs an SSH key"))
    try expect(looking.run("questions 1").exit, .exited(status: 0))
  }
}
