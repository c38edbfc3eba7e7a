import Glibc
import TerminalTestSupport
import TestSupport
import Testing

/// Homes of a version in which two places could be one market.
@Suite(.ownThread, .timeLimit(.minutes(2))) struct FormerKeyTests {
  private static let question = "stored as one"
  private static let secret = "d1c75a02-d8ac-4431-acb5-a33a30d0f00f"

  /// A home with `a/b.market` and `a-b.market`.
  private func home() async throws -> MarketProgram {
    let program = try await MarketProgram(nil)
    try #require(mkdir(program.path(of: "a"), 0o700) == 0)
    for name in ["a/b.market", "a-b.market"] {
      try await GeneratedMarket.rows(15).write(to: program.path(of: name))
    }
    return program
  }

  /// The key that both files had.
  private func former(_ program: MarketProgram) -> String {
    let path = program.path(of: "a/b.market")
    return "file-" + path.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : "-" }
  }

  /// Has a product be kept of the first and an alert be set in a file, as that version wrote it.
  private func keep(in program: MarketProgram, alertIn name: String = "a-b.market") throws {
    let (slash, other) = (program.path(of: "a/b.market"), program.path(of: name))
    let lines = """
      {"format":"openmarket-personal","version":4}
      {"table":"market","row":{"id":1,"key":"\(former(program))"}}
      {"table":"kept_market","row":{"market":1,"name":"b.market","place":"\(slash)"}}
      {"table":"kept_product","row":{"id":1,"market":1,"product":14,"kept":1795645033,\
      "seen":1795645059,"gone":null,"dropped":null,"seller":3,"seller_name":"Noah",\
      "name":"Ware","price":14500,"discount":0,"currency":"KRW","stock":1,"created":1795644189,\
      "changed":1795644189,"by_day":0,"picture_number":null,"picture_original":null,\
      "picture_thumbnail":null,"note":"","note_words":"","words":"ware","description":null,\
      "description_words":null,"noted":0}}
      {"table":"wait","row":{"id":1,"market":1,"place":"\(other)","subject":"product","number":3,\
      "text":null,"name":"Ware","condition":"stock","hundredths":null,"currency":null,"met":1,\
      "newest":null}}
      {"rows":4}

      """
    try FileContent(bytes: Array(lines.utf8)).write(to: program.path(of: "kept.jsonl"))
    let run = try program.runShell("XDG_DATA_HOME=$HOME/data market data import kept.jsonl")
    #expect(run.exit == .exited(status: 0), "\(run.errors)")
  }

  private func open(_ program: MarketProgram, _ name: String) throws -> TerminalSession {
    let session = try program.open(
      words: ["--store", program.path(of: name), "--language", "en", "--view", "list"])
    try session.wait(forText: "Ware 001")
    return session
  }

  private func leave(_ session: TerminalSession) throws {
    session.type("<C-c>")
    #expect(try session.waitForExit() == .exited(status: 0))
  }

  @Test(arguments: [("y", "a-b.market", "a/b.market"), ("n", "a/b.market", "a-b.market")])
  func `what two markets had as one is asked about once, and goes where one says`(
    key: String, location: String, other: String
  ) async throws {
    let program = try await home()
    try keep(in: program)

    let session = try open(program, "a-b.market")
    try session.wait(forText: Self.question)
    #expect(!session.screen.contains("★"))
    session.type(KeyScript(key))
    try session.wait(for: "the list") { !$0.contains(Self.question) }
    session.comeToRest()
    try leave(session)

    for (name, isKept) in [(location, true), (other, false)] {
      let session = try open(program, name)
      session.comeToRest()
      #expect(!session.screen.contains(Self.question))
      #expect(session.screen.contains("★") == isKept, "\(name)")
      try leave(session)
    }
  }

  /// Has the key hold a seller's identifier, as that version wrote it.
  private func sell(in program: MarketProgram) throws {
    let script = """
      mkdir -p ~/.config/market
      printf 'identifier 36\\n\(Self.secret)\\nname 4\\nHana\\n' \
        > ~/.config/market/seller-\(former(program))
      """
    #expect(try program.runShell(script).exit == .exited(status: 0))
  }

  @Test func `an identifier is not taken away by who asks first, who is told where it is`()
    async throws
  {
    let program = try await home()
    try keep(in: program, alertIn: "a/b.market")
    try sell(in: program)
    let (first, other) = (program.path(of: "a/b.market"), program.path(of: "a-b.market"))

    let asked = try program.run("identity", "--store", other, "--language", "en")
    let owner = try program.run("identity", "--store", first)

    #expect(asked.output.isEmpty && asked.exit == .exited(status: 1))
    #expect(asked.errors.contains("for this market and for \(first). It stays there"))
    #expect(owner.output == Self.secret + "\n" && owner.errors.isEmpty)
  }

  @Test func `an identifier stays where it was used first, and a command says so`() async throws {
    let program = try await home()
    try program.addPhoto("bike.jpg", fixture: "baseline.jpg")
    try sell(in: program)
    func identity(_ name: String) throws -> String {
      try program.run("identity", "--store", program.path(of: name)).output
    }

    #expect(try identity("a/b.market") == Self.secret + "\n")
    #expect(try identity("a-b.market").isEmpty)
    let run = try program.run(
      [
        "new", "--store", program.path(of: "a-b.market"), "--name", "Bike", "--price", "1",
        "--description", "Ridden for a year.", "--photo", program.path(of: "bike.jpg"), "--seller",
        "Dul", "--language", "en",
      ], input: "sesame\n")

    #expect(run.exit == .exited(status: 0))
    #expect(run.errors.contains("It stays there, and here you sell under a new one"))
    #expect(run.errors.contains(program.path(of: "a/b.market")))
    let second = try identity("a-b.market")
    #expect(second.count == 37 && second != Self.secret + "\n")
    #expect(try identity("a/b.market") == Self.secret + "\n")
  }
}
