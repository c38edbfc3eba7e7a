import TerminalTestSupport
import TestSupport
import Testing

@Suite(.ownThread) struct SettingsScreenTests {
  /// The program on its settings, of which those of the colours are under the cursor.
  private func openThemes(of program: MarketProgram) throws -> TerminalSession {
    let session = try program.open("--view", "list")
    try session.wait(forText: "Ware 001")
    session.type(",")
    try session.wait(forText: "Products per page")
    session.type("/theme<Enter>")
    try session.waitForSelection("Theme")
    session.type("<Enter>")
    try session.wait(forText: "high-contrast")
    return session
  }

  @Test func `a file that cannot be written is told in one sentence`() async throws {
    let program = try await MarketProgram()
    try program.setSettings("{ \"language\": \"en\", \"view\": \"list\"")

    let session = try openThemes(of: program)
    session.type("<Down><Enter>")

    try session.wait(forText: "✗ settings.json:1: the file ends")
  }

  @Test func `plain screens are text with a cursor, and a step writes little`() async throws {
    let session = try await MarketProgram().open(
      "--plain", size: TerminalSize(columns: 130, rows: 24))
    try session.wait(forText: "Ware 001")
    session.type("j")
    try session.waitForPlainMark("Ware 002")
    session.comeToRest()
    let start = session.output.count

    session.type("j")
    try session.waitForPlainMark("Ware 003")

    #expect(session.screen.cursor == (row: 4, column: 0))
    #expect(!session.screen.lines.joined().contains(where: "│─╭━▌".contains))
    #expect(session.output.count - start < 100)
  }

  @Test func `symbols are ASCII where that is asked for, and Hangul stays`() async throws {
    let session = try await MarketProgram(nil).open(
      "--ascii", "--view", "list", "--language", "ko", "--pictures", "none")
    try session.wait(forText: "₩")

    session.type("o")
    try session.wait(forText: "+-")

    let text = session.screen.lines.joined()
    #expect(text.contains("+-") && text.contains("|"))
    #expect(text.contains("정렬") && text.contains("Enter"))
    #expect(!text.contains(where: "─│╭╮▌●○□…·".contains))
  }
}

extension TerminalSession {
  /// Waits until a plain screen's selection is at a text.
  fileprivate func waitForPlainMark(_ text: String) throws(TerminalSessionError) {
    try wait(for: "the selection at \(text)") { screen in
      screen.lines.contains { $0.contains("> ") && $0.contains(text) }
    }
  }
}
