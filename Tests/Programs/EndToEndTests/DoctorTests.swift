import Expectations
import TerminalTestSupport
import TestSupport
import Testing

@Suite(.ownThread) struct DoctorTests {
  @Test func `what the terminal answers is told, secrets are left out`() async throws {
    let session = try await MarketProgram(nil).open(
      "doctor", "--server", "http://127.0.0.1:8080/secret",
      size: TerminalSize(columns: 120, rows: 40), persona: .sixel)

    try session.wait(forText: "server")
    _ = try session.waitForExit()

    let lines = session.screen.lines.filter { !$0.isEmpty }
    for (name, value) in [
      ("terminal", "foot(1.25.0)"), ("attributes", "62;4;22"), ("background", "#1e1e1e"),
      ("cell", "10 x 20 pixels asked"), ("pictures", "sixel"), ("window", "120 x 40 cells"),
      ("widths", "한=2"), ("server", "http://127.0.0.1:8080"), ("libraries", "SQLite 3."),
      ("libraries", "ncurses 6."), ("libraries", "libsodium 1."), ("libraries", "libseccomp 2."),
      ("requests", "market --log FILE --log-requests"),
    ] {
      #expect(lines.contains { $0.hasPrefix(name + " ") && $0.contains(value) }, "\(name)")
    }
    #expect(!lines.joined().contains("secret"))
    expect(session.unrestored, [])
  }

  @Test(
    arguments: [
      ("xterm", TerminalPersona.stockXTerm, "24 bits (by a colour it kept", "the program's own"),
      ("xterm", .silent, "8 (by TERM)", "of this TERM"),
      ("no-such-terminal", .silent, "256 (by TERM)", "since this TERM is not known"),
    ])
  func `colours and entry are told with their reason`(
    name: String, persona: TerminalPersona, colors: String, entry: String
  ) async throws {
    let session = try await MarketProgram(nil).open(
      "doctor", size: TerminalSize(columns: 120, rows: 40),
      environment: ["TERM": name, "COLORTERM": nil], persona: persona)

    try session.wait(forText: "server")
    _ = try session.waitForExit()

    let lines = session.screen.lines
    #expect(lines.contains { $0.hasPrefix("colours ") && $0.contains(colors) })
    #expect(lines.contains { $0.hasPrefix("entry ") && $0.contains(entry) })
  }

  @Test func `a report that goes into a file asks the terminal all the same`() async throws {
    let program = try await MarketProgram(nil)
    let report = program.path(of: "report")
    let session = try program.openInShell("doctor", ">", report, persona: .sixel)

    try session.wait(for: "the next prompt") { screen in
      screen.lines.filter { $0.hasPrefix("shell$") }.count == 2
    }

    let text = String(decoding: try FileContent(of: report).bytes, as: UTF8.self)
    #expect(text.contains("foot(1.25.0)"))
    #expect(!text.contains("\u{1B}"))
  }

  @Test func `without any terminal the rest is told`() async throws {
    let run = try await MarketProgram(nil).run("doctor")

    expect(run.exit, .exited(status: 0))
    #expect(run.output.contains("store") && run.output.contains("none ("))
  }
}
