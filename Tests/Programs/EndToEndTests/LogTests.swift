import Expectations
import TerminalTestSupport
import TestSupport
import Testing

/// The log that a bug report can come with.
@Suite(.ownThread) struct LogTests {
  private func text(_ path: String) throws -> String {
    String(decoding: try FileContent(of: path).bytes, as: UTF8.self)
  }

  @Test func `it begins with the program and its terminal, and holds what failed`() async throws {
    let program = try await MarketProgram(nil)
    let path = program.path(of: "market.log")
    let session = try program.open(
      "--server", "http://127.0.0.1:1/shop?token=hush", "--log", path, "--language", "en",
      persona: .sixel)

    try session.wait(forText: "Cannot connect")
    session.type("q")
    _ = try session.waitForExit()

    let log = try text(path)
    #expect(log.contains("Z program OpenMarket"))
    #expect(log.contains("Z terminal foot(1.25.0), 80 x 24 cells"))
    #expect(log.contains("Z GET http://127.0.0.1:1/shop"))
    #expect(log.contains(": refused, "))
    #expect(!log.contains("hush"))
  }

  @Test func `without it nothing is written, and one that cannot be is no reason to fail`()
    async throws
  {
    let program = try await MarketProgram(.rows(3))

    let run = try program.run("list", "--log", "/dev/full/none", "--language", "en")

    expect(run.exit, .exited(status: 0))
    #expect(run.output.contains("Ware 001"))
    expect(
      run.errors,
      "market: Cannot write to the log file /dev/full/none: Not a directory; "
        + "choose another one with --log\n")
  }
}
