import Expectations
import TerminalTestSupport
import Testing

@Suite(.ownThread) struct UnusualTerminalTests {
  @Test(arguments: ["vt100", "xterm", "linux", "screen-256color", "no-such-terminal"])
  func `products are shown on any kind of terminal`(kind: String) async throws {
    let session = try await MarketProgram().open("--view", "list", environment: ["TERM": kind])

    try session.wait(forText: "Ware 001")
    session.type("q")

    try expect(session.waitForExit(), .exited(status: 0))
    expect(session.unrestored, [])
  }

  @Test(arguments: ["dumb", nil])
  func `a terminal that cannot do it is told so, or gets products`(kind: String?) async throws {
    let session = try await MarketProgram().open("--view", "list", environment: ["TERM": kind])

    try session.wait(for: "products or a sentence") {
      $0.contains("Ware 001") || $0.contains("TERM")
    }
    session.type("q")

    _ = try session.waitForExit()
    expect(session.unrestored, [])
  }

  @Test func `a terminal that answers nothing is served as well`() async throws {
    let session = try await MarketProgram().open("--view", "list", persona: .silent)

    try session.wait(forText: "Ware 001")
  }

  @Test func `a stock xterm shows pictures in the colours that it says it has`() async throws {
    let session = try await MarketProgram(nil).open(
      "--view", "grid", environment: ["TERM": "xterm", "COLORTERM": nil], persona: .stockXTerm)

    try session.wait(for: "blocks in 24-bit colours") { screen in
      screen.places(where: "▀▄▌▐▘▝▖▗▚▞".contains).contains { place in
        if case .rgb = screen.cell(row: place[0], column: place[1]).background {
          true
        } else {
          false
        }
      }
    }
    session.type("q")

    try expect(session.waitForExit(), .exited(status: 0))
    expect(session.unrestored, [])
    expect(EscapeAudit.unexpectedSequences(in: session.output), [])
    let output = String(decoding: session.output, as: UTF8.self)
    expect(output.ranges(of: "\u{1b}[?1049h").count, 1)
  }

  @Test(
    arguments: [("auto", ["TERM": "xterm"]), ("blocks", ["NO_COLOR": "1"])]
      as [(String, [String: String?])])
  func `pictures are dots of braille where there are few colours, or none and blocks are wanted`(
    pictures: String, variables: [String: String?]
  ) async throws {
    let session = try await MarketProgram(nil).open(
      "--view", "grid", "--pictures", pictures,
      environment: variables.merging(["COLORTERM": nil] as [String: String?]) { $1 },
      persona: .silent)

    try session.wait(for: "braille") { screen in
      screen.places { $0.unicodeScalars.contains { 0x2801...0x28FF ~= $0.value } }.count > 100
    }
  }

  @Test(arguments: [["NO_COLOR": "1"], ["TERM": "vt100"]] as [[String: String?]])
  func `without colours cards are text alone`(variables: [String: String?]) async throws {
    let session = try await MarketProgram(nil).open(
      "--view", "grid",
      environment: variables.merging(["COLORTERM": nil] as [String: String?]) { $1 },
      persona: .silent)

    try session.wait(forText: "Film camera with a 50 mm")
    session.comeToRest()

    #expect(session.screen.contains("lens, tested with two"))
    #expect(
      session.screen.places { $0.unicodeScalars.contains { 0x2801...0x28FF ~= $0.value } }.isEmpty)
  }

  @Test func `no colour is sent where none is wanted`() async throws {
    let session = try await MarketProgram().open("--view", "list", environment: ["NO_COLOR": "1"])
    try session.wait(forText: "Ware 001")
    session.type("j")
    try session.waitForSelection("Ware 002")

    let cells = (0..<24).flatMap { row in
      (0..<80).map { session.screen.cell(row: row, column: $0) }
    }

    #expect(
      cells.allSatisfy {
        $0.foreground == .terminalDefault && $0.background == .terminalDefault
      })
  }

  @Test(arguments: ["C", "POSIX", "no_SUCH.locale"])
  func `without a UTF-8 locale nothing raw is sent`(locale: String) async throws {
    let session = try await MarketProgram().open(
      "--view", "list", environment: ["LANG": locale, "LC_ALL": locale])

    try session.wait(forText: "Ware 001")
    try session.wait(forText: "not UTF-8")
    session.type("j")
    try session.wait(for: "the keys again") { !$0.contains("not UTF-8") }

    expect(EscapeAudit.unexpectedSequences(in: session.output), [])
  }

  @Test func `without a terminal there is a sentence instead of a screen`() async throws {
    let run = try await MarketProgram().run()

    #expect(run.exit != .exited(status: 0))
    #expect(!run.errors.isEmpty && !run.errors.contains("\u{1b}"))
    #expect(!run.output.contains("\u{1b}"))
  }

  @Test func `a terminal of an unknown kind is named, and served as an xterm`() async throws {
    let session = try await MarketProgram().open(
      "--view", "list", "--language", "en",
      environment: ["TERM": "no-such-terminal", "COLORTERM": nil])

    try session.wait(forText: "Ware 001")

    try session.wait(forText: "Unknown TERM")
  }
}
