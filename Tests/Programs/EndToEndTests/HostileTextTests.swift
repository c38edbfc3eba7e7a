import Expectations
import HTTPTestSupport
import MarketModel
import StoreCore
import TerminalTestSupport
import Testing

@Suite(.ownThread) struct HostileTextTests {
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
    let product = ArchivedProduct.trial(
      name: "Ware 001 " + attack, description: "Text " + attack, seller: "Seller " + attack)
    let market = GeneratedMarket(products: [product])
    let session = try await MarketProgram(market).open(size: TerminalSize(columns: 120, rows: 30))

    try expectHarmless(session)
  }

  @Test(arguments: attacks)
  func `what a server says never acts on the terminal`(attack: String) async throws {
    let text = JSONText.of("Text " + attack)
    let server = try ScriptedServer { request, _ in
      let product = """
        {"id":1,"vendor_id":1,"vendorName":\(text),"name":\(JSONText.of("Ware 001 " + attack)),
        "description":\(text),"thumbnail":\(text),"currency":\(text),"price":1000,
        "bargain_price":900,"discounted_price":100,"stock":5,"created_at":"2024-01-01T00:00:00",
        "issued_at":"2024-01-01T00:00:00","vendors":{"id":1,"name":\(text)},
        "images":[{"id":1,"url":\(text),"thumbnail_url":\(text),"issued_at":\(text)}]}
        """
      let page = """
        {"pageNo":1,"itemsPerPage":20,"totalCount":1,"offset":0,"limit":20,"lastPage":1,
        "hasNext":false,"hasPrev":false,"pages":[\(product)]}
        """
      return [.answer(200, request.path == "/api/products" ? page : product)]
    }
    let session = try await MarketProgram(nil).open(
      "--server", server.base, size: TerminalSize(columns: 120, rows: 30))

    try expectHarmless(session)
  }

  private func expectHarmless(_ session: TerminalSession) throws {
    try session.wait(forText: "Ware 001")
    session.type("v<Enter>")
    try session.wait(forText: "Text")
    session.type("q")
    session.type("q")

    _ = try session.waitForExit()
    expect(EscapeAudit.unexpectedSequences(in: session.output), [])
    #expect(!String(decoding: session.output, as: UTF8.self).contains("\u{1b}[5;66m"))
    #expect(!session.screen.modes.title.contains("owned"))
  }
}

private enum JSONText {
  /// A text as a string of JSON (RFC 8259, section 7), its control characters as escapes.
  static func of(_ text: String) -> String {
    text.unicodeScalars.reduce("\"") { json, scalar in
      let hexadecimal = String(scalar.value, radix: 16)
      let zeros = String(repeating: "0", count: max(0, 4 - hexadecimal.count))
      let isPlain = scalar.value >= 0x20 && scalar != "\"" && scalar != "\\"
      return json + (isPlain ? String(scalar) : "\\u" + zeros + hexadecimal)
    } + "\""
  }
}
