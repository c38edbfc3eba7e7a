import MarketStore
import TerminalTestSupport
import Testing

@Suite struct HostileTextTests {
  /// What a seller might write to make a terminal do something.
  private static let attacks = [
    "\u{1b}[5;66mX", "\u{1b}]0;owned\u{7}", "\u{1b}]8;;http://e.org\u{1b}\\x",
    "\u{1b}]52;c;aGk=\u{7}",
    "\u{1b}P1$r\u{1b}\\", "\u{1b}_Ga=d\u{1b}\\", "\u{9b}31m", "\u{9d}0;x\u{9c}",
    "\u{1b}]0;never ends",
    "a\rb\u{8}c\u{7f}d", "\u{202e}reversed", "a\u{200b}\u{feff}\u{2066}b", "\u{1b}c",
  ]

  @Test(arguments: attacks)
  func `foreign text never acts on the terminal`(attack: String) async throws {
    let product = SeedProduct.trial(
      name: "Ware 001 " + attack, description: "Text " + attack, seller: "Seller " + attack)
    let session = try await MarketProgram(TrialMarket(products: [product])).open(
      size: TerminalSize(columns: 120, rows: 30))

    try session.wait(forText: "Ware 001")
    session.type("v<Enter>")
    try session.wait(forText: "Text")
    session.type("q")
    session.type("q")

    _ = try session.waitForExit()
    #expect(EscapeAudit.unexpectedSequences(in: session.output) == [])
    #expect(!String(decoding: session.output, as: UTF8.self).contains("\u{1b}[5;66m"))
    #expect(!session.screen.modes.title.contains("owned"))
  }
}
