import Expectations
import Glibc
import TerminalTestSupport
import Testing

/// A terminal that takes no output, as one whose window hangs or whose line is cut does.
@Suite(.ownThread) struct StuckTerminalTests {
  private static let timeout = Duration.seconds(5)

  private func stuck() async throws -> TerminalSession {
    let session = try await MarketProgram().open("--view", "list", persona: .silent)
    try session.wait(forText: "Ware 001")
    session.terminal.stopTakingOutput()
    return session
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGQUIT])
  func `signals end the program, and its keyboard is as before`(number: Int32) async throws {
    let session = try await stuck()
    session.type("<C-l>j<C-l>j")

    session.terminal.signal(number)

    #expect(session.terminal.end(within: Self.timeout) != nil)
    let settings = session.terminal.settings
    #expect(settings.isCanonical && settings.echoes && settings.sendsSignals)
  }

  @Test func `keys are obeyed, also the one that quits`() async throws {
    let session = try await stuck()

    session.type("<C-l>j<C-l>j")
    session.type("q")

    expect(session.terminal.end(within: Self.timeout), .exited(status: 0))
  }

  @Test func `what was overtaken is never shown, and what is shown is whole`() async throws {
    let session = try await stuck()

    session.type("<C-l>jjj<C-l>jjj")
    session.terminal.resize(to: TerminalSize(columns: 80, rows: 24))
    session.type("<C-l>jjj")
    try session.waitForSelection("Ware 010")
    let shown = session.screen.lines
    session.type("<C-l>")
    try session.waitForKeys()

    expect(session.screen.lines, shown)
  }
}
