import Expectations
import TerminalTestSupport
import Testing

@Suite(.ownThread) struct InputTests {
  private func list() async throws -> TerminalSession {
    let session = try await MarketProgram().open("--view", "list", persona: .silent)
    try session.wait(forText: "Ware 001")
    return session
  }

  @Test func `answers of the terminal that come late are no keys`() async throws {
    let session = try await list()

    session.type("\u{1b}]11;rgb:1e1e/1e1e/1e1e\u{1b}\\\u{1b}P>|XTerm(380)\u{1b}\\\u{1b}[?62;22c")
    session.type("j")

    try session.waitForSelection("Ware 002")
  }

  @Test func `a paste outside a field is no keys`() async throws {
    let session = try await list()

    session.type("<Paste:jjjqqq>j")

    try session.waitForSelection("Ware 002")
  }

  @Test func `a paste goes into the search as it is`() async throws {
    let session = try await list()

    session.type("/<Paste:ware 02>")

    try session.wait(for: "only the hits") { $0.contains("Ware 029") && !$0.contains("Ware 001") }
  }

  @Test func `a character may come in two pieces`() async throws {
    let session = try await list()
    let bytes = KeyScript("ㅓ").bytes

    session.type(KeyScript(bytes: Array(bytes.prefix(1))))
    _ = session.listen(for: .milliseconds(5))
    session.type(KeyScript(bytes: Array(bytes.dropFirst())))

    try session.waitForSelection("Ware 002")
  }

  @Test(arguments: ["list", "grid"])
  func `the hidden cursor stands on the selection, where screen readers look`(
    view: String
  ) async throws {
    let session = try await MarketProgram().open(
      "--view", view, size: TerminalSize(columns: 100, rows: 40), persona: .silent)
    try session.wait(forText: "Ware 003")
    let before = session.screen.cursor

    session.type(view == "list" ? "j" : "l")
    try session.wait(for: "the cursor to move") { $0.cursor != before }

    let (row, column) = session.screen.cursor
    let selected = session.screen.lines[row].dropFirst(column).drop { "▌ ".contains($0) }
    #expect(selected.hasPrefix("Ware 002"))
    #expect(!session.screen.modes.isCursorVisible)
  }

  /// What the program put on the terminal's clipboard, in base 64.
  private func copied(_ session: TerminalSession) -> [String] {
    String(decoding: session.output, as: UTF8.self).split(separator: "\u{1b}]52;c;").dropFirst()
      .map { String($0.prefix { $0 != "\u{1b}" }) }
  }

  @Test(arguments: ["y", "ㅛ", "v<Enter>y"])
  func `the selected product is copied as a line of text`(keys: String) async throws {
    let session = try await list()

    session.type(KeyScript("j" + keys))
    try session.wait(forText: "OSC 52")

    // Ware 002 · ₩2,000 · 44
    expect(copied(session), ["V2FyZSAwMDIgwrcg4oKpMiwwMDAgwrcgNDQ="])
  }

  @Test func `a console that would print the command is told nothing`() async throws {
    let session = try await MarketProgram().open(
      "--view", "list", "--language", "en", environment: ["TERM": "linux"], persona: .silent)
    try session.wait(forText: "Ware 001")

    session.type("y")
    try session.wait(forText: "does not let programs")

    expect(copied(session), [])
  }

  @Test func `a click selects and the wheel scrolls`() async throws {
    let session = try await list()
    let row = try #require(session.screen.lines.firstIndex { $0.contains("Ware 004") })

    session.type(KeyScript("<Click:12,\(row + 1)>"))
    try session.waitForSelection("Ware 004")
    session.type(KeyScript(String(repeating: "<WheelDown>", count: 30)))

    try session.wait(for: "the first product to leave") { !$0.contains("Ware 001") }
  }

  @Test func `everything is drawn inside frames`() async throws {
    let session = try await list()
    session.type("jjjGk/x<Enter>")
    try session.waitForKeys()
    var parser = OutputParser()
    var modes = EmulatorModes()

    let outside = parser.parse(session.output).filter { token in
      modes.apply(token)
      return token.kind == .text && !modes.isInsideFrame
    }

    expect(outside, [])
  }
}
