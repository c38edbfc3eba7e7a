import Expectations
import PostgresTestSupport
import TerminalTestSupport
import TestSupport
import Testing

/// Several programs on one market: what the others do is seen without a key.
@Suite(.ownThread) struct MeetingTests {
  /// Other seller, who changes the market by commands of the shell.
  private struct Other {
    let program: MarketProgram
    /// The words that name the market.
    let market: [String]

    /// Registers a product.
    ///
    /// - Returns: its number.
    /// - Throws: where that fails.
    func register(_ name: String) throws -> String {
      try program.addPhoto("cup.jpg", fixture: "baseline.jpg")
      let run = try run([
        "new", "--name", name, "--price", "1000", "--description", "A blue cup for tea.",
        "--seller", "Hana",
        "--photo", program.path(of: "cup.jpg"),
      ])
      return String(try #require(run.split(separator: "\n").first).dropFirst("id\t".count))
    }

    @discardableResult
    func run(_ arguments: [String]) throws -> String {
      let run = try program.run(arguments + market + ["--language", "en"], input: "sesame\n")
      expect(run.exit, .exited(status: 0), "\(run.errors)")
      return run.output
    }
  }

  private static let list = ["--view", "list", "--language", "en"]

  /// Lets others change, add and delete products beside a list whose second row is selected.
  ///
  /// - Parameters:
  ///   - session: a program that has just been opened.
  ///   - id: the first product, a “Blue cup” for 1,000.
  ///   - changer: who changes and deletes it.
  ///   - seller: who adds one.
  ///   - selected: the second product.
  /// - Throws: what the session waits for in vain.
  private func watch(
    _ session: TerminalSession, _ id: String, changer: Other, seller: Other, selected: String
  ) throws {
    try session.wait(forText: selected)
    session.type("j")
    try session.waitForSelection(selected)

    try changer.run(["edit", id, "--price", "2000"])
    try session.wait(for: "the changed row with its mark") {
      $0.lines.contains { $0.contains("Blue cup") && $0.contains("● now") && $0.contains("2,000") }
    }
    _ = try seller.register("Tea pot")
    try session.wait(forText: "↑ 1 new")
    #expect(!session.screen.contains("Tea pot"))
    try session.waitForSelection(selected)
    try changer.run(["delete", id, "--yes"])

    try session.wait(for: "the greyed row") {
      $0.lines.contains { $0.contains("Blue cup") && $0.contains("Deleted") }
    }
    try session.waitForSelection(selected)
    session.type("g")
    try session.waitForSelection("Blue cup")
  }

  @Test func `what the shell does to a file is seen by the program that shows it`() async throws {
    let program = try await MarketProgram(.rows(3))
    let other = Other(program: program, market: [])
    let id = try other.register("Blue cup")
    let session = try program.open(words: Self.list)

    try watch(session, id, changer: other, seller: other, selected: "Ware 001")
  }

  @Test func `what one server of a file does is seen at another one`() async throws {
    let program = try await MarketProgram(.rows(3))
    let servers = try (0..<2).map { _ in try TrialServer(of: program.path(of: "trial.market")) }
    let other = Other(
      program: try await MarketProgram(nil), market: ["--server", servers[0].address])
    let id = try other.register("Blue cup")
    let session = try await MarketProgram(nil).open(
      words: ["--server", servers[1].address] + Self.list)

    try watch(session, id, changer: other, seller: other, selected: "Ware 001")
  }

  @Test(.enabled(if: TestCluster.isPossible, Comment(rawValue: TestCluster.hint)))
  func `what two servers of a database do is seen at the third`() async throws {
    let cluster = try TestCluster()
    let address = try cluster.emptySchema()
    let servers = try (0..<3).map { _ in try TrialServer(of: address) }
    let program = try await MarketProgram(nil)
    let others = servers.prefix(2).map {
      Other(program: program, market: ["--server", $0.address])
    }
    _ = try others[0].register("Old chair")
    let id = try others[0].register("Blue cup")
    let session = try await MarketProgram(nil).open(
      words: ["--server", servers[2].address] + Self.list)

    try watch(session, id, changer: others[0], seller: others[1], selected: "Old chair")
  }
}
