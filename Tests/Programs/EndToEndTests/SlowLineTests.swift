import Expectations
import TerminalTestSupport
import Testing

/// A terminal at the end of a line that carries 200 KB a second, before which buffers take anything.
@Suite(.ownThread) struct SlowLineTests {
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
    try session.wait(for: "pictures") { _ in session.output.count > Self.rate / 5 }
    var waits: [Int] = []

    for _ in 0..<3 {
      let page = session.screen.lines[1...]
      session.type("<PgDn>")
      try session.wait(for: "the next page") { $0.lines[1...] != page }
      let before = session.output.count
      session.type("?")
      try session.wait(forText: "─ Keys: ")
      waits.append(session.output.count - before)
      session.type("<Esc>")
      try session.wait(for: "the end of the help") { !$0.contains("─ Keys: ") }
    }

    // A program that gets no time reads two answers at once now and then, which looks like a fast line.
    #expect(waits.sorted()[1] < Self.rate, "\(waits) bytes came before an answer")
    session.type("q")
    try expect(session.waitForExit(), .exited(status: 0))
    #expect(session.unrestored == [] && session.pictures.mistakes.isEmpty)
  }
}
