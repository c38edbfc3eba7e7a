import Expectations
import HTTPTestSupport
import TerminalTestSupport
import TestSupport
import Testing

/// The program on a server: what a person sees when it is there, goes away, and comes back.
@Suite(.ownThread) struct ServerTests {
  @Test func `the first frame waits for no server that says nothing`() async throws {
    let server = try ScriptedServer { _, _ in [.stall] }

    let session = try await MarketProgram(nil).open("--server", server.base, "--view", "list")
    try session.wait(for: "the bars") {
      $0.lines[0].contains("OpenMarket") && $0.lines.last?.contains("q Quit") == true
    }

    // It is for a person to leave, too.
    session.type("q")
    _ = try session.waitForExit()
  }

  @Test func `a server that goes away leaves what is there, and a key goes on when it is back`()
    async throws
  {
    let server = try await TrialServer(.rows(145))
    let session = try await MarketProgram(nil).open("--server", server.address, "--view", "list")
    try session.wait(forText: "Ware 001")

    server.goAway()
    session.type("G")
    try session.wait(forText: "is the server running?")
    session.type("g")
    try session.waitForSelection("Ware 001")
    try server.restore()
    session.type("RG")

    try session.waitForSelection("Ware 145")
  }

  @Test(arguments: [
    ("en", "among 15 seen", "No products match “mug”"), ("ko", "본 상품 15개 중", "“mug”"),
  ])
  func `a search without the server looks among what was seen, until it is back`(
    language: String, among: String, nothing: String
  ) async throws {
    let server = try await TrialServer(.rows(15))
    let session = try await MarketProgram(nil)
      .open("--server", server.address, "--view", "list", "--language", language)
    try session.wait(forText: "Ware 015")
    server.goAway()

    session.type("/ware 01<Enter>")
    try session.wait(forText: among)
    try session.wait(for: "the finds alone") {
      $0.contains("Ware 010") && !$0.contains("Ware 005") && $0.lines[0].contains("ware 01")
    }
    session.type("/<C-u>mug<Enter>")
    try session.wait(forText: nothing)
    #expect(session.screen.contains(among))
    session.type("/<C-u>ware 00<Enter>")
    try session.wait(forText: "Ware 009")
    try server.restore()
    session.type("R")

    try session.wait(for: "the server's own finds") {
      $0.contains("Ware 009") && !$0.contains(among)
    }
  }

  @Test func `a crash of the server leaves no file with passwords in it`() throws {
    let folder = try TemporaryFolder()
    let server = try ChildProcess(
      "market-server",
      arguments: ["--store", folder.path(of: "market.sqlite"), "--listen", "127.0.0.1:0"])
    _ = try #require(try server.readLine())

    let limits = ProcessInformation(of: server.identifier).coreFileLimits

    expect(limits, ["0", "0"])
  }

  @Test func `no server at an address is one sentence with the key that retries`() async throws {
    let session = try await MarketProgram(nil).open("--server", "http://127.0.0.1:9")

    try session.wait(forText: "Cannot connect; is the server running?")
    try session.wait(forText: "R retry now")
  }
}
