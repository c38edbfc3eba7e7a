import TerminalTestSupport
import Testing

/// A terminal at the end of a line that carries 200 KB a second, before which buffers take anything.
@Suite struct SlowLineTests {
  private static let rate = 200_000
  private static let size = TerminalSize(columns: 120, rows: 40)

  @Test(arguments: [
    (["TERM": "xterm-kitty"], TerminalPersona.kitty), (["TERM": "xterm-256color"], .sixel),
    (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .dark),
  ])
  func `keys are answered while pictures load, and all of these come`(
    variables: [String: String], persona: TerminalPersona
  ) async throws {
    let session = try await MarketProgram(nil).open(
      "--view", "grid", "--language", "en", size: Self.size, environment: variables,
      persona: persona)
    session.line = SlowLine(bytesPerSecond: Self.rate)
    try session.wait(forText: "Newest")
    // The first pictures tell how slow the line is.
    _ = session.listen(for: .milliseconds(300))
    var queues: [Int] = []

    for _ in 0..<3 {
      session.line?.forgetLongestQueue()
      session.type("<PgDn>")
      _ = session.listen(for: .milliseconds(120))
      session.type("?")
      try session.wait(forText: "─ Help ")
      session.type("<Esc>")
      try session.wait(for: "the end of the help") { !$0.contains("─ Help ") }
      queues.append(try #require(session.line).longestQueue)
    }

    // A busy machine answers late now and then, which looks like a fast line for a moment.
    let queued = try #require(queues.min())
    #expect(queued < Self.rate * 15 / 100, "\(queues) bytes were queued")
    session.type("q")
    #expect(try session.waitForExit() == .exited(status: 0))
    #expect(session.unrestored == [] && session.pictures.mistakes.isEmpty)
  }
}
