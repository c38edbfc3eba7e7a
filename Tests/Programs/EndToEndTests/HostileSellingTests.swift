import Expectations
import Glibc
import TerminalTestSupport
import TestSupport
import Testing

/// A form with hostile and oversized input: no text is lost, and no control sequence takes effect.
@Suite(.ownThread) struct HostileSellingTests {
  /// What a terminal would obey, a megabyte of it.
  private static let attack = String(
    repeating: "\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31m\r\u{202e}x 가", count: 32_000)

  /// A form with a name in it.
  private func open(
    _ program: MarketProgram, environment: [String: String?] = [:]
  ) throws -> TerminalSession {
    let session = try program.open(
      words: ["--language", "en"], environment: environment)
    try session.wait(forText: "Ware 001")
    session.type("n")
    try session.wait(forText: "0/5")
    session.type("<Tab>Road bike")
    try session.wait(forText: "Road bike")
    return session
  }

  @Test(arguments: [
    "", "<Tab>", "<Tab><Tab><Tab><Tab>", "<BackTab><BackTab>",
    "<BackTab><BackTab><BackTab><BackTab>",
    "<BackTab><Enter>",
  ])
  func `a megabyte of orders to the terminal is text in every field`(way: String) async throws {
    let session = try open(try await MarketProgram())
    session.type(KeyScript(way))
    let before = session.output.count

    session.type(KeyScript("<Paste:\(Self.attack)>"))
    // Back in the list: it was all read.
    if way.hasSuffix("<Enter>") {
      session.type("<Esc>")
      try session.wait(for: "the form") { !$0.contains("Add photos") }
    }
    session.type("<Esc>")
    try session.wait(forText: "Ware 001")

    let written = session.output[before...]
    expect(written.firstRange(of: Array("owned\u{7}".utf8)), nil)
    expect(written.firstRange(of: Array("\u{202e}".utf8)), nil)
  }

  @Test func `a form lives through any size`() async throws {
    let session = try open(try await MarketProgram())

    for size in [(20, 5), (200, 60), (1, 1), (40, 10), (20, 6), (80, 24)] {
      session.resize(to: TerminalSize(columns: size.0, rows: size.1))
    }
    session.type("!")

    try session.wait(forText: "Road bike!")
  }

  @Test func `a form that is stopped goes on where it was`() async throws {
    let program = try await MarketProgram()
    let session = try program.openInShell("--language", "en")
    try session.wait(forText: "Ware 001")
    session.type("n")
    try session.wait(forText: "0/5")
    session.type("<Tab>Road bike")
    try session.wait(forText: "Road bike")

    session.type("<C-z>")
    try session.wait(forText: "Stopped")
    session.type("fg<Enter>")
    try session.wait(forText: "Road bike")
    session.type("!")

    try session.wait(forText: "Road bike!")
  }

  @Test func `where no draft can be kept that is one sentence, and the form stays`() async throws {
    let program = try await MarketProgram()
    let blocked = program.path(of: "blocked")
    try FileContent(bytes: []).write(to: blocked)
    let session = try open(program, environment: ["XDG_STATE_HOME": blocked])

    try session.wait(forText: "Could not save the draft")
    session.type("<Esc>")
    try session.wait(forText: "Leave and lose")
    session.type("<Enter>!")

    try session.wait(forText: "Road bike!")
  }
}
