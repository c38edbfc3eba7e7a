import TerminalTestSupport
import TestSupport
import Testing

/// A seller on a server, of every year's dialect, and on one that is away when the form is sent.
@Suite struct SellingOnServersTests {
  private static let password = "p4ss-appletree"

  /// Fills the form in and sends it; the question whether to register is on the screen then.
  private func fillIn(
    _ program: MarketProgram, _ session: TerminalSession, namesSeller: Bool
  ) throws {
    try program.addPhoto("bike.jpg", fixture: "baseline.jpg")
    session.type("n")
    try session.wait(forText: "0/5")
    session.type("<Paste:~/bike.jpg>")
    try session.wait(forText: "1/5")
    try session.wait(forText: "→")
    session.type("<Tab>Road bike<Tab>240000<Tab><Tab><Tab><Tab>Ridden to work for a year.<Tab>")
    session.type(KeyScript(Self.password + "<C-s>"))
    if namesSeller {
      try session.wait(forText: "which name do you sell under")
      session.type("Hana<Enter>")
    }
    try session.wait(forText: "Put it on")
  }

  private func give(_ password: String, to session: TerminalSession) {
    session.type(KeyScript(password + "<Enter>"))
  }

  @Test(arguments: ["2023", "2022", "2021"])
  func `a product lives its whole life on a server of any year`(year: String) async throws {
    let server = try await TrialServer(.rows(45))
    let program = try await MarketProgram(nil)
    let session = try program.open("--server", server.address, "--api", year)
    try session.wait(forText: "Ware 0")
    try fillIn(program, session, namesSeller: year != "2021")
    session.type("<Enter>")
    try session.wait(forText: "It is on the market")

    session.type("<BS>e")
    give("wrong", to: session)
    try session.wait(forText: "(1 so far)")
    give(Self.password, to: session)
    try session.wait(forText: "^S Save")
    session.type("!<C-s>")
    try session.wait(forText: "Change it on")
    session.type("<Enter>")
    try session.wait(forText: "u takes it back")
    #expect(session.screen.contains("Road bike!"))
    session.type("D")
    give(Self.password, to: session)
    try session.wait(forText: "Delete it from")
    session.type("y")
    try session.wait(forText: "Deleted")

    #expect(!session.screen.contains("Road bike"))
  }

  @Test(arguments: ["2023", "2022", "2021"])
  func `what was sent to a server that was away is there once when it is back`(
    year: String
  ) async throws {
    let server = try await TrialServer(.rows(3))
    let program = try await MarketProgram(nil)
    let session = try program.open("--server", server.address, "--api", year)
    try session.wait(forText: "Ware 001")
    try fillIn(program, session, namesSeller: year != "2021")

    server.goAway()
    session.type("<Enter>")
    try session.wait(forText: "is it running?")
    try server.comeBack()
    session.type("<C-s>")
    try session.wait(forText: "Put it on")
    session.type("<Enter>")
    try session.wait(forText: "It is on the market")

    let other = try program.open("--server", server.address, "--api", year, "--view", "list")
    try other.wait(forText: "Road bike")
    #expect(other.screen.lines.count { $0.contains("Road bike") } == 1)
  }
}
