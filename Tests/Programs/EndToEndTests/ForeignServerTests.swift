import HTTPTestSupport
import Synchronization
import TerminalTestSupport
import TestSupport
import Testing

/// A server of others that fails while it is sifted for what it does not understand.
@Suite(.ownThread) struct ForeignServerTests {
  /// What becomes of the third page, time after time.
  private enum Fault {
    case silence, failure
  }

  /// A server of 400 products without our additions whose third page has these faults before it comes.
  private func foreign(
    before server: TrialServer, _ faults: [Fault]
  ) throws -> ScriptedServer {
    let port = server.portNumber
    let left = Mutex(faults)
    return try ScriptedServer { request, _ in
      let isFaulty = request.target.contains("after=n.-201")
      let fault = isFaulty ? left.withLock { $0.isEmpty ? nil : $0.removeFirst() } : nil
      switch fault {
      case .silence: return [.stall]
      case .failure: return [.answer(500, "{}"), .close]
      case nil:
        let answer = UpstreamRequest(request, hidesAdditions: true).answer(from: port)
        return [.sendBytes(answer), .close]
      }
    }
  }

  @Test func `sifting tells how far it is, stops by Esc, and goes on behind its faults`()
    async throws
  {
    let server = try await TrialServer(.rows(400))
    let foreign = try foreign(before: server, [.silence, .failure])
    let session = try await MarketProgram(nil).open(
      "--server", foreign.base, "--api", "2023", "--view", "list", "--language", "en")
    try session.wait(forText: "Ware 001")

    session.type("/>=380000<Enter>")
    try session.wait(forText: "200 of 400 checked, 0 found")
    session.type("<Esc>")
    try session.wait(forText: "Stopped: 200 of 400 checked, 0 found")
    session.type("R")
    try session.wait(forText: "(status 500)")
    session.type("R")

    try session.wait(forText: "Ware 380")
    try session.wait(forText: "Ware 400")
    try session.wait(forText: "End of list")
    #expect(!session.screen.contains("Ware 379"))
  }
}
