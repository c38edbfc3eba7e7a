import HTTPTestSupport
import MarketModel
import StoreCore
import TerminalTestSupport
import TestSupport
import Testing

/// Several markets in one run, by keys: files and a server.
@Suite(.ownThread) struct MarketsTests {
  private func market(_ stem: String, _ count: Int) -> GeneratedMarket {
    var market = GeneratedMarket.rows(count)
    for index in market.products.indices {
      market.products[index].name = market.products[index].name.replacing("Ware", with: stem)
    }
    return market
  }

  /// A program with a file of its own, another file `shop` and a server `far`.
  private func program(with server: TrialServer) async throws -> MarketProgram {
    let program = try await MarketProgram()
    try await market("Shelf", 30).write(to: program.path(of: "shop.sqlite"))
    try program.setSettings(
      """
      { "language": "en", "view": "list", "servers": {
        "shop": "~/shop.sqlite", "far": "\(server.address)", "dead": "http://127.0.0.1:9" } }
      """)
    return program
  }

  /// The program in its local market, asked for the address of another one.
  private static func openAdding(in program: MarketProgram) throws -> TerminalSession {
    try program.setSettings("{ \"language\": \"en\", \"view\": \"list\" }")
    let session = try program.open()
    try session.wait(forText: "Ware 001")
    session.type("wa")
    try session.wait(forText: "Address or file")
    return session
  }

  @Test func `a search asks all markets and names the one that is silent`() async throws {
    let server = try await TrialServer(market("Ware Distant", 3))
    let session = try await program(with: server).open()
    try session.wait(forText: "Ware 001")

    session.type("w/")
    try session.wait(forText: "Searches all saved")
    session.type("Distant<Enter>")
    try session.wait(forText: "Ware Distant 002")
    try session.wait(forText: "dead  Cannot connect")
    session.type("<Enter>")
    try session.wait(forText: "As good as new.")
    session.type("<Esc>")
    try session.wait(forText: "All markets")
    session.type("<Esc>")

    try session.wait(forText: "Ware 001")
  }

  @Test func `one line finds by several parts in all files, and shows its market`() async throws {
    let program = try await MarketProgram()
    try await market("Shelf", 30).write(to: program.path(of: "shop.sqlite"))
    try program.setSettings(
      """
      { "language": "en", "view": "list", "servers": { "shop": "~/shop.sqlite" } }
      """)
    let session = try program.open()
    try session.wait(forText: "Ware 001")

    session.type("/in:all <=2000 sort:price-desc<Enter>")

    try session.wait(for: "what both files have of it") { screen in
      ["Ware 001", "Ware 002", "Shelf 001", "Shelf 002"].allSatisfy(screen.contains)
        && !screen.contains("003") && screen.contains("shop")
    }
    session.type("<Esc>")
    try session.wait(for: "the local market") { $0.contains("Ware 003") && !$0.contains("Shelf") }
  }

  @Test func `what is added is asked, told, named and opened, and forgotten again`() async throws {
    let server = try await TrialServer(market("Distant", 4))
    let program = try await MarketProgram()

    let session = try Self.openAdding(in: program)
    session.type("127.0.0.1:9<Enter>")
    try session.wait(forText: "Cannot connect; is the server running?")
    session.type(KeyScript("<C-u>\(server.address)<Enter>"))
    try session.wait(forText: "4 products")
    session.type("<C-u>far<Enter>")
    try session.wait(forText: "Distant 001")
    #expect(try program.settings().contains("\"far\": \"\(server.address)"))
    session.type("w")
    try session.wait(forText: "Serve this market")
    session.type("o")
    try session.wait(forText: "program starts with far")
    #expect(try program.settings().contains("\"server\": \"far\""))
    session.type("D")
    try session.wait(forText: "Removed far from your list")

    #expect(try !program.settings().contains("far"))
  }

  @Test func `a file that is not there is made on request, and says what comes next`() async throws
  {
    let program = try await MarketProgram()

    let session = try Self.openAdding(in: program)
    session.type("~/fresh.sqlite<Enter>")
    try session.wait(forText: "Create")
    session.type("<Enter>")
    try session.wait(forText: "fresh.sqlite · 0")
    session.type("<Enter>")

    try session.wait(forText: "w Another market")
  }

  @Test(arguments: BadAddress.allCases)
  func `what cannot be added is told in one sentence, with what to do next`(
    address: BadAddress
  ) async throws {
    let location = try address.place()

    let session = try Self.openAdding(in: try await MarketProgram())
    session.type(KeyScript("\(location.text)<Enter>"))

    try session.wait(for: "“\(address.sentence)”") { screen in
      screen.dialogText.contains(address.sentence)
    }
    // The line is as it was typed, to be corrected.
    #expect(session.screen.dialogText.contains(location.text))
    withExtendedLifetime(location.servers) {}
  }

  @Test func `a market that is reached by a redirect answers, and is added`() async throws {
    let far = try await TrialServer(market("Distant", 4))
    let port = far.portNumber
    // Redirects to another port of this computer are refused, so this server forwards the requests.
    let server = try ScriptedServer { request, count in
      count == 0
        ? [.redirect(to: request.target)]
        : [.sendBytes(UpstreamRequest(request).answer(from: port)), .close]
    }

    let session = try Self.openAdding(in: try await MarketProgram())
    session.type(KeyScript("\(server.base)<Enter>"))
    try session.wait(forText: "4 products")
    session.type("<C-u>far<Enter>")

    try session.wait(forText: "Distant 001")
  }
}

/// Address at which no market can be had.
enum BadAddress: CaseIterable {
  case nobody, stranger, circle, ownCertificate, redirectElsewhere

  /// What is typed, and what listens there as long as it is held.
  func place() throws -> (text: String, servers: [AnyObject]) {
    switch self {
    case .nobody: return ("127.0.0.1:9", [])
    case .stranger:
      let server = try ScriptedServer { _, _ in [.answer(200, "hello")] }
      return (server.base, [server])
    case .circle:
      let server = try ScriptedServer { request, _ in [.redirect(to: request.target)] }
      return (server.base, [server])
    case .ownCertificate:
      let server = try EncryptedServer(named: "IP:127.0.0.1")
      return (server.address, [server])
    case .redirectElsewhere:
      let server = try ScriptedServer { request, _ in
        [.redirect(to: "http://127.0.0.1:9" + request.target)]
      }
      return (server.base, [server])
    }
  }

  var sentence: String {
    switch self {
    case .nobody:
      "Cannot connect; is the server running?; correct it, or press Enter to try again"
    case .stranger: "There is no Open Market at this address; check the address"
    case .circle: "The server redirects endlessly; check the address"
    case .redirectElsewhere:
      "The server redirects to an address that is not followed; check the address"
    case .ownCertificate:
      "The server’s certificate cannot be trusted; if it has its own authority,"
        + " name it in SSL_CERT_FILE and restart"
    }
  }
}

extension EmulatorScreen {
  /// What stands inside of frames, in one line.
  fileprivate var dialogText: String {
    let inside = lines.map { line in
      line.split(separator: "│", omittingEmptySubsequences: false).dropFirst().dropLast()
        .joined(separator: " ")
    }
    return inside.joined(separator: " ").split(separator: " ").joined(separator: " ")
  }
}
