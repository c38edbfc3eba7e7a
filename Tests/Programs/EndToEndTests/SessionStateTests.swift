import Expectations
import MarketModel
import StoreCore
import TerminalTestSupport
import TestSupport
import Testing

/// The program opens where it was left, by keys.
@Suite(.ownThread) struct SessionStateTests {
  private static let file = ".config/market/settings.json"

  private func market(_ stem: String, _ count: Int) -> GeneratedMarket {
    var market = GeneratedMarket.rows(count)
    for index in market.products.indices {
      market.products[index].name = market.products[index].name.replacing("Ware", with: stem)
    }
    return market
  }

  /// A program that knows the file `shop` and the server `far`, if there is one, with more settings.
  private func program(with server: TrialServer? = nil, _ more: String = "") async throws
    -> MarketProgram
  {
    let program = try await MarketProgram(nil)
    try await market("Shelf", 120).write(to: program.path(of: "shop.sqlite"))
    let far = server.map { ", \"far\": \"\($0.address)\"" } ?? ""
    try program.addFile(
      Self.file,
      """
      { "language": "en", "view": "list", \(more)"servers": { "shop": "~/shop.sqlite"\(far) } }
      """)
    return program
  }

  /// Leaves the program from wherever one is in it.
  private func leave(_ session: TerminalSession) throws {
    session.type("<C-c>")
    _ = try session.waitForExit()
  }

  /// Shows the market of a name, by the menu.
  private func show(_ name: String, in session: TerminalSession, until text: String) throws {
    try session.wait(forText: "Local market")
    session.type("w")
    try session.wait(forText: name)
    session.type("2")
    try session.wait(forText: text)
  }

  @Test func `market, search, order, product and open detail come back`() async throws {
    let program = try await program()
    let first = try program.open()
    try show("shop", in: first, until: "Shelf 001")
    first.type("/shelf sort:price-asc<Enter>")
    try first.wait(forText: "Lowest price")
    try first.waitForSelection("Shelf")
    first.type("40G")
    try first.waitForKeys()
    let row = try #require(first.screen.lines.first { $0.hasPrefix("▌") })
    let start = try #require(row.firstRange(of: "Shelf "))
    let name = String(row[start.lowerBound...].prefix("Shelf 040".count))
    first.type("<Enter>")
    try first.wait(forText: "As good as new.")
    try leave(first)

    let second = try program.open()

    try second.wait(for: "the detail") {
      $0.contains("As good as new.") && $0.contains(name)
    }
    second.type("<Esc>")
    try second.waitForSelection(name)
    #expect(second.screen.contains("shop"))
    #expect(second.screen.contains("Lowest price"))
  }

  @Test func `a run that begins anew, by option or setting, shows the usual start`() async throws {
    let program = try await program()
    let first = try program.open()
    try show("shop", in: first, until: "Shelf 001")
    first.type("jj")
    try first.waitForSelection("Shelf 003")
    try leave(first)

    let fresh = try program.open("--fresh")
    try fresh.wait(forText: "Local market")
    try fresh.wait(forText: "66 products")
    #expect(!fresh.screen.contains("Shelf"))
    fresh.terminal.hangUp()
    _ = try fresh.waitForExit()
    let never = try program.open("--restore=false")
    try never.wait(forText: "66 products")
    try leave(never)
    let named = try program.open("--server", "shop")

    try named.waitForSelection("Shelf 001")
  }

  @Test func `a product that is gone leaves its row, and a market that is gone the local one`()
    async throws
  {
    let program = try await program()
    let first = try program.open()
    try show("shop", in: first, until: "Shelf 001")
    first.type("jjj<Enter>")
    try first.wait(forText: "As good as new.")
    try leave(first)
    let number = try program.runShell(
      "market list --server shop --json | grep 'Shelf 004' | grep -o '\"id\":[0-9]*' | cut -d: -f2")
    let removal = try program.runShell(
      "market admin delete \(number.output.split(separator: "\n").first ?? "") --store ~/shop.sqlite"
    )
    expect(removal.exit, .exited(status: 0), "\(removal.errors)")

    let second = try program.open()
    try second.waitForSelection("Shelf 005")
    try leave(second)
    try expect(program.runShell("rm ~/shop.sqlite*").exit, .exited(status: 0))
    let third = try program.open()

    try third.wait(forText: "Could not open shop, so this is the local market")
    try third.wait(forText: "66 products")
  }

  @Test func `a server that does not answer opens as it was seen`() async throws {
    let server = try await TrialServer(market("Distant", 40))
    let program = try await program(with: server)
    let first = try program.open("--server", "far")
    try first.wait(forText: "Distant 001")
    first.type("jj")
    try first.waitForSelection("Distant 003")
    try leave(first)

    server.goAway()
    let second = try program.open()

    try second.wait(forText: "offline, seen just now")
    try second.waitForSelection("Distant 003")
  }

  @Test func `of two programs the one that is left last says where the next one opens`()
    async throws
  {
    let program = try await program()
    let first = try program.open("--server", "shop")
    try first.waitForSelection("Shelf 001")
    let second = try program.open("--server", "shop")
    try second.waitForSelection("Shelf 001")
    first.type("jj")
    try first.waitForSelection("Shelf 003")
    second.type("jjjjj")
    try second.waitForSelection("Shelf 006")

    try leave(second)
    try first.waitForSelection("Shelf 003")
    try leave(first)
    let third = try program.open()

    try third.waitForSelection("Shelf 003")
  }

  @Test func `a program that is killed comes back to where it was a second before`() async throws {
    let program = try await program()
    let first = try program.open("--server", "shop")
    try first.waitForSelection("Shelf 001")
    first.type("jj")
    try program.waitForFile(holding: "\"row\":2")
    try first.kill()

    let second = try program.open()

    try second.waitForSelection("Shelf 003")
  }
}
