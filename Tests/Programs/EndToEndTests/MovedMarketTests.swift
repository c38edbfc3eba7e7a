import Expectations
import Glibc
import HTTPTestSupport
import TerminalTestSupport
import TestSupport
import Testing

/// Markets that are met again where they were not before, by their own id.
@Suite(.ownThread) struct MovedMarketTests {
  private static let question = "Has this market moved?"

  private func open(
    _ program: MarketProgram, _ words: [String]
  ) throws -> TerminalSession {
    let session = try program.open(words: words + ["--language", "en", "--view", "list"])
    try session.wait(forText: "Ware 001")
    return session
  }

  private func leave(_ session: TerminalSession) throws {
    session.type("<C-c>")
    try expect(session.waitForExit(), .exited(status: 0))
  }

  /// Keeps the second product of a market.
  private func keep(_ program: MarketProgram, _ words: [String]) throws {
    let session = try open(program, words)
    session.type("j*")
    try session.wait(forText: "Added to favorites; press * again to remove it")
    try leave(session)
  }

  /// Opens a market, of which nothing is asked.
  private func expectNoQuestion(_ program: MarketProgram, _ words: [String], star: Bool) throws {
    let session = try open(program, words)
    session.comeToRest()
    #expect(!session.screen.contains(Self.question))
    expect(session.screen.contains("★ Ware 002"), star)
    try leave(session)
  }

  /// A program in whose home the second product of a market's file is kept.
  private func programWithFile() async throws -> MarketProgram {
    let program = try await MarketProgram(nil)
    try await GeneratedMarket.rows(15).write(to: program.path(of: "old.market"))
    try keep(program, ["--store", program.path(of: "old.market")])
    return program
  }

  @Test(
    arguments: [
      "mv old.market new.market", "mkdir below; mv old.market below; mv below new.market",
      "cp old.market new.market; rm old.market",
    ])
  func `a file that was renamed or moved is known again, and one question moves what is kept`(
    script: String
  ) async throws {
    let program = try await programWithFile()
    _ = try program.runShell(script)
    let path = program.path(of: script.contains("below") ? "new.market/old.market" : "new.market")

    let session = try open(program, ["--store", path])
    try session.wait(forText: Self.question)
    #expect(!session.screen.contains("★"))
    // What is asked first is never answered by what was typed before.
    session.type("<Enter>")
    session.comeToRest()
    #expect(session.screen.contains(Self.question) && !session.screen.contains("★"))
    session.type("y")
    try session.wait(for: "the star") { $0.contains("★ Ware 002") && !$0.contains(Self.question) }
    session.type("i")
    try session.wait(forText: "Favorites 1")
    session.type("q")
    try session.wait(for: "the list") { !$0.contains("Favorites 1") }
    try leave(session)

    try expectNoQuestion(program, ["--store", path], star: true)
  }

  @Test func `a copy beside its file asks nothing and is a market of its own`() async throws {
    let program = try await programWithFile()
    _ = try program.runShell("cp old.market copy.market")

    try expectNoQuestion(program, ["--store", program.path(of: "copy.market")], star: false)
    let removal = try program.runShell("market admin delete 1 --store ~/copy.market; rm old.market")
    expect(removal.exit, .exited(status: 0), "\(removal.errors)")
    // It has been written to, and is no longer what it was copied from.
    try expectNoQuestion(program, ["--store", program.path(of: "copy.market")], star: false)
  }

  /// One store, served at an address after the other.
  private final class MovingServer {
    private let folder: TemporaryFolder
    private var server: TrialServer

    init() async throws {
      let folder = try TemporaryFolder()
      let store = folder.path(of: "served.market")
      try await GeneratedMarket.rows(15).write(to: store)
      server = try TrialServer(of: store)
      self.folder = consume folder
    }

    var words: [String] { ["--server", server.address] }
    var port: UInt16 { server.portNumber }

    /// Serves the same store at a further address.
    func join() throws -> TrialServer { try TrialServer(of: folder.path(of: "served.market")) }

    /// Ends, and serves the same store at a new address.
    func move() throws {
      server.goAway()
      server = try TrialServer(of: folder.path(of: "served.market"))
    }
  }

  @Test(arguments: [[], ["--api", "2023"], ["--api", "2021"]] as [[String]])
  func `a server at a new address is known again, and a yes moves what is kept`(
    api: [String]
  ) async throws {
    let (server, program) = (try await MovingServer(), try await MarketProgram(nil))
    try keep(program, server.words + api)
    try server.move()

    let session = try open(program, server.words + api)
    try session.wait(forText: Self.question)
    session.type("y")
    try session.wait(forText: "★ Ware 002")
    try leave(session)

    try expectNoQuestion(program, server.words + api, star: true)
  }

  @Test(arguments: [[], ["--api", "2023"], ["--api", "2021"]] as [[String]])
  func `a server that says the id of one that still answers asks nothing`(
    api: [String]
  ) async throws {
    let (server, program) = (try await MovingServer(), try await MarketProgram(nil))
    try keep(program, server.words + api)
    let other = try server.join()

    try expectNoQuestion(program, ["--server", other.address] + api, star: false)
  }

  @Test func `a server says one id in all its languages, and another server another one`()
    async throws
  {
    let (one, other) = (try await MovingServer(), try await MovingServer())

    func ids(_ server: MovingServer) throws -> [String] {
      let port = server.port
      return ["/api/products?page_no=1", "/items/1", "/healthChecker", "/api/products/99"].map {
        let request = ReceivedRequest(
          spelled: "GET \($0)\nHost: \(server.words[1].dropFirst(7))", picture: [])
        let answer = String(decoding: UpstreamRequest(request).answer(from: port), as: UTF8.self)
        return answer.split(separator: "\r\n").first { $0.hasPrefix("Market-Id: ") }
          .map { String($0.dropFirst("Market-Id: ".count)) } ?? ""
      }
    }
    let (said, saidElsewhere) = (try ids(one), try ids(other))
    try one.move()

    #expect(Set(said).count == 1 && said.first?.count == 32, "\(said)")
    #expect(Set(saidElsewhere).count == 1 && saidElsewhere.first != said.first)
    try expect(ids(one), said)
  }
}
