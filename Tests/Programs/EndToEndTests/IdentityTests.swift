import Expectations
import TerminalTestSupport
import Testing

/// A seller on two machines.
@Suite(.ownThread) struct IdentityTests {
  private static let identifier = "3424eb5f-660f-11ec-8eff-b53506094baa"

  /// A program with an identifier typed into its prompt, and what it wrote to the terminal.
  private func enter(
    _ text: String, _ program: MarketProgram, _ options: String...
  ) throws -> String {
    let session = try program.open(words: ["identity", "import", "--language", "en"] + options)
    try session.wait(forText: "Identifier (not shown):")
    session.type(KeyScript(text + "<Enter>"))
    _ = try session.waitForExit()
    return String(decoding: session.output, as: UTF8.self)
  }

  @Test func `an identifier is typed unseen, kept, and printed for the next machine`() async throws
  {
    let program = try await MarketProgram()

    let output = try enter(Self.identifier, program)

    #expect(output.contains("Identifier saved"))
    #expect(!output.contains(Self.identifier))
    try expect(program.run("identity").output, Self.identifier + "\n")
  }

  @Test func `where nothing was sold yet, the way to an identifier is told`() async throws {
    let run = try await MarketProgram(.rows(3)).run("identity", "--language", "en")

    expect(run.exit, .exited(status: 1))
    #expect(run.errors.contains("market new") && run.errors.contains("market identity import"))
    expect(run.errors.split(separator: "\n").count, 1)
  }

  @Test func `who sells by an identifier that the market did not know is asked for a name`()
    async throws
  {
    let market = try await MarketUnderTest(.local)
    _ = try enter(Self.identifier, market.program)
    let seller = try market.open()
    try seller.fillIn()

    try seller.ask()
    seller.type("<Enter>")
    try seller.wait("Listed")

    #expect(try enter(Self.identifier, market.program).contains("You now sell here as Hana"))
  }

  @Test func `an identifier does not take the place of another unasked`() async throws {
    let program = try await MarketProgram()
    _ = try enter(Self.identifier, program)

    let refusal = try enter("another", program)
    #expect(refusal.contains("already sell here under another identifier"))
    try expect(program.run("identity").output, Self.identifier + "\n")
    _ = try enter("another", program, "--overwrite")

    try expect(program.run("identity").output, "another\n")
  }
}
