import Expectations
import TerminalTestSupport
import Testing

/// Commands of an operator.
@Suite(.ownThread) struct OperatorRunTests {
  private static let identifier = "3424eb5f-660f-11ec-8eff-b53506094baa"

  @Test func `an identifier is typed unseen, and sells by the number that it was given`()
    async throws
  {
    let program = try await MarketProgram(nil)
    let path = program.path(of: "team.sqlite")
    let session = try program.open(
      "admin", "seller", "set", "--id", "6", "--name", "Hana", "--store", path, "--language", "en")
    try session.wait(forText: "Identifier (not shown):")
    session.type(KeyScript(Self.identifier + "<Enter>"))
    try expect(session.waitForExit(), .exited(status: 0))

    let output = String(decoding: session.output, as: UTF8.self)
    // A person reads the sentence alone.
    #expect(!output.contains("operator seller-set") && output.contains("Hana is seller 6"))
    #expect(!output.contains(Self.identifier))
    let again = try program.run(
      ["admin", "seller", "set", "--store", path, "--language", "en"], input: Self.identifier + "\n"
    )
    let taken = try program.run(
      ["admin", "seller", "set", "--id", "6", "--store", path, "--language", "ko"],
      input: "another\n")
    let none = try program.run(["admin", "seller", "set", "--store", path], input: "\n")

    #expect(
      again.output == "Hana is seller 6\n" && again.errors.contains("operator seller-set 6 ok"))
    expect(taken.exit, .exited(status: 1))
    #expect(taken.errors.contains("다른 판매자가 쓰는 번호입니다"))
    #expect(taken.errors.contains("operator seller-set taken"))
    expect(none.exit, .exited(status: 1))
  }

  @Test func `what is not there is said for each, and the rest is removed`() async throws {
    let program = try await MarketProgram(.rows(3))

    let run = try program.run(["admin", "delete", "2", "9", "3", "--language", "en"])
    let block = try program.run(["admin", "seller", "block", "77", "--language", "en"])

    expect(run.exit, .exited(status: 4))
    expect(run.output.split(separator: "\n").count, 2)
    #expect(run.errors.contains("There is no product 9"))
    #expect(run.errors.contains("operator remove 9 not-found"))
    try expect(program.run("list").output.split(separator: "\n").count, 1)
    expect(block.exit, .exited(status: 4))
    #expect(block.errors.contains("There is no seller 77"))
  }

  @Test func `a forgotten password is replaced by one from a pipe, and the log does not hold it`()
    async throws
  {
    let program = try await MarketProgram(.rows(3))

    let run = try program.run(["admin", "password", "2", "--language", "en"], input: "brand new\n")
    let none = try program.run(["admin", "password", "2", "--language", "en"], input: "")
    let missing = try program.run(["admin", "password", "9", "--language", "en"], input: "x\n")
    let long = try program.run(
      ["admin", "password", "2", "--language", "en"], input: String(repeating: "a", count: 2_000))
    let old = try program.run(
      ["edit", "2", "--price", "5", "--yes", "--language", "en"], input: "sample\n")
    let new = try program.run(
      ["edit", "2", "--price", "5", "--yes", "--language", "en"], input: "brand new\n")

    #expect(run.exit == .exited(status: 0) && run.output.contains("Product 2 has a new password"))
    #expect(run.errors.contains("operator password-set 2 ok"))
    #expect(!(run.errors + run.output).contains("brand"))
    #expect(none.exit == .exited(status: 1) && none.errors.contains("Pipe the password in"))
    #expect(long.exit == .exited(status: 1) && long.errors.contains("Password: At most"))
    #expect(missing.exit == .exited(status: 4) && missing.errors.contains("no product 9"))
    #expect(old.exit != .exited(status: 0))
    expect(new.exit, .exited(status: 0), "\(new.errors)")
  }

  @Test func `a new password is typed at the terminal without an echo`() async throws {
    let program = try await MarketProgram(.rows(3))
    let session = try program.open("admin", "password", "2", "--language", "en")
    try session.wait(forText: "New password (not shown):")

    session.type("brand new<Enter>")

    try session.wait(forText: "Product 2 has a new password")
    #expect(!session.screen.contains("brand"))
  }

  /// Orders that need the files of pictures which are not in the store.
  @Test(arguments: [
    "market backup b.sqlite", "market export b.ndjson", "market admin pictures move --to storage",
    "market admin pictures move --to store", "market-server backup b.sqlite",
    "market-server admin pictures move --to store",
  ])
  func `who has to say where pictures are is told by what the command takes`(
    order: String
  ) async throws {
    let program = try await MarketProgram(nil)
    let preparation = try program.runShell(
      """
      export MARKET_PICTURES="$PWD/pictures"
      mkdir -m 700 pictures
      market sample --store s.sqlite && market admin pictures move --to storage --store s.sqlite
      """)
    expect(preparation.exit, .exited(status: 0), "\(preparation.errors)")

    let run = try program.runShell("\(order) --store s.sqlite --language en; echo $?; ls")

    expect(run.output, "1\npictures\ns.sqlite\n")
    #expect(run.errors.contains("name their place by MARKET_PICTURES"), "\(run.errors)")
    #expect(!run.errors.contains("--pictures"))
    let told = try program.runShell("MARKET_PICTURES=pictures \(order) --store s.sqlite")
    expect(told.exit, .exited(status: 0), "\(told.errors)")
  }
}
