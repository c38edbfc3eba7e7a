import Expectations
import HTTPTestSupport
import TerminalTestSupport
import TestSupport
import Testing
import TextCoding

/// Addresses of products in the whole program: copied, opened from the command line, and pasted.
@Suite(.ownThread) struct LinkTests {
  /// What the program put on the terminal's clipboard.
  private func copied(_ session: TerminalSession) -> [String] {
    String(decoding: session.output, as: UTF8.self).split(separator: "\u{1b}]52;c;").dropFirst()
      .compactMap { Base64.decode(String($0.prefix { $0 != "\u{1b}" })) }
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// A server that passes requests on to another and keeps them.
  private func relay(
    to server: TrialServer, hidesAdditions: Bool = false
  ) throws -> ScriptedServer {
    let port = server.portNumber
    return try ScriptedServer { request, _ in
      let answer = UpstreamRequest(request, hidesAdditions: hidesAdditions).answer(from: port)
      return [.sendBytes(answer), .close]
    }
  }

  @Test func `a product of a server is copied with its address, and Y copies that alone`()
    async throws
  {
    let server = try await TrialServer(.rows(45))
    let session = try await MarketProgram(nil).open(
      "--server", server.address, "--view", "list", "--language", "en", persona: .silent)
    try session.wait(forText: "Ware 001")

    session.type("jy")
    try session.wait(forText: "Copied with its address")
    session.type("Y")
    try session.wait(forText: "Copied (if the terminal allows OSC 52): \(server.address)")

    let address = server.address + "/products/44"
    expect(copied(session), ["Ware 002 · ₩2,000 · 44 · " + address, address])
  }

  @Test func `what is kept is copied with its market's address`() async throws {
    let server = try await TrialServer(.rows(45))
    let program = try await MarketProgram(nil)
    try program.setSettings(
      #"{ "language": "en", "view": "list", "servers": { "far": "\#(server.address)" } }"#)
    let session = try program.open(words: ["--server", "far"], persona: .silent)
    try session.wait(forText: "Ware 001")
    session.type("j*")
    try session.wait(forText: "Added to favorites; press * again to remove it")

    session.type("i")
    try session.wait(forText: "Favorites 1")
    session.type("Y")
    try session.wait(forText: "/products/44")

    expect(copied(session), [server.address + "/products/44"])
  }

  @Test func `what has come in a market with addresses says its own in JSON`() async throws {
    let server = try await TrialServer(.rows(3))
    let program = try await MarketProgram(nil)
    try program.setSettings(
      #"{ "language": "en", "view": "list", "servers": { "far": "\#(server.address)" } }"#)
    try program.addPhoto("lamp.jpg", fixture: "baseline.jpg")
    let listed = try program.run(
      [
        "new", "--server", "far", "--seller", "Hana", "--name", "Lamp", "--price", "12000",
        "--description", "Warm and dimmable.", "--photo", program.path(of: "lamp.jpg"),
      ], input: "secret-of-hana\n")
    expect(listed.exit, .exited(status: 0), "\(listed.errors)")
    let session = try program.open(words: ["--server", "far"])
    try session.wait(forText: "Lamp")
    try session.watchForPrice(below: "10,000")
    session.type("<C-c>")
    _ = try session.waitForExit()
    _ = try program.run(
      ["edit", "4", "--price", "9000", "--server", "far"], input: "secret-of-hana\n")

    let watch = try program.run("alerts", "--json")

    #expect(watch.output.contains(#""url":"\#(server.address)/products/4""#), "\(watch)")
  }

  @Test func `a file and a server of others have no addresses, and Y says what to do`()
    async throws
  {
    let server = try await TrialServer(.rows(15))
    let foreign = try relay(to: server, hidesAdditions: true)
    let file = try await MarketProgram().open("--view", "list", "--language", "en")
    let other = try await MarketProgram(nil).open(
      "--server", foreign.base, "--view", "list", "--language", "en")

    for (session, reason) in [(file, "market serve"), (other, "no product pages")] {
      try session.wait(forText: "Ware 001")
      session.type("y")
      try session.wait(forText: "Copied without an address")
      session.type("Y")
      try session.wait(forText: reason)
      #expect(copied(session).allSatisfy { !$0.contains("http") })
    }
  }

  @Test(arguments: [["open"], []])
  func `a link to a market that is not remembered asks before the first packet`(
    command: [String]
  ) async throws {
    let server = try await TrialServer(.rows(45))
    let relay = try relay(to: server)
    let program = try await MarketProgram(nil)
    try program.setSettings(#"{ "language": "en", "view": "list" }"#)

    let session = try program.open(words: command + [relay.base + "/products/44"])
    try session.wait(forText: "not in your list")
    try session.wait(forText: relay.base)
    #expect(relay.requests.isEmpty)
    session.type("n")
    try session.wait(for: "the question to go") { !$0.contains("not in your list") }
    #expect(relay.requests.isEmpty)

    session.type(KeyScript("<Paste:\(relay.base)/products/44>"))
    try session.wait(forText: "not in your list")
    #expect(relay.requests.isEmpty)
    session.type("y")
    try session.wait(forText: "As good as new.")
    try session.wait(forText: "#44")
    #expect(relay.requests.contains { $0.target.hasSuffix("/44") })
    #expect(relay.requests.allSatisfy { $0.headers["identifier"] == nil })
    #expect(try program.run("identity", "--server", relay.base).exit != .exited(status: 0))
  }

  @Test func `a link to a remembered market opens at once, and names nobody to it`() async throws {
    let server = try await TrialServer(.rows(45))
    let relay = try relay(to: server)
    let program = try await MarketProgram(nil)
    try program.setSettings(
      #"{ "language": "en", "view": "list", "servers": { "far": "\#(relay.base)" } }"#)
    try program.addPhoto("bike.jpg", fixture: "baseline.jpg")
    let listed = try program.run(
      [
        "new", "--server", "far", "--seller", "Hana", "--name", "Lamp", "--price", "100",
        "--description", "Warm and dimmable.", "--photo", program.path(of: "bike.jpg"), "--json",
      ], input: "secret-of-hana\n")
    expect(listed.exit, .exited(status: 0), "\(listed.errors)")
    let named = relay.requests.filter { $0.headers["identifier"] != nil }.count
    #expect(named > 0)

    let session = try program.open(relay.base + "/products/46?T#photo")
    try session.wait(forText: "Warm and dimmable.")
    session.type("<Esc>")
    try session.wait(forText: "Ware 001")

    expect(relay.requests.filter { $0.headers["identifier"] != nil }.count, named)
  }

  @Test func `what is no link to a product is refused in a sentence, with nothing of a password`()
    async throws
  {
    let program = try await MarketProgram(nil)

    for link in [
      "file:///etc/passwd", "https://a.example/", "openmarket:--help",
      "http://me:hunter2@a.example/products/1",
    ] {
      let run = try program.run("--language", "en", "open", link)
      #expect(
        run.exit == .exited(status: 2) && run.errors.contains("https://market.example/products/12"))
      #expect(!run.errors.contains("hunter2"))
    }
  }

  @Test func `JSON carries the address where there is one`() async throws {
    let server = try await TrialServer(.rows(3))
    let foreign = try relay(to: server, hidesAdditions: true)
    let program = try await MarketProgram(nil)
    let url = #""url":"\#(server.address)/products/3""#

    let list = try program.run("list", "--json", "--limit", "1", "--server", server.address)
    let show = try program.run("show", "3", "--json", "--server", server.address)
    let plain = try program.run("show", "3", "--server", server.address)
    let other = try program.run("show", "3", "--json", "--server", foreign.base)

    #expect(list.output.contains(url) && show.output.contains(url))
    #expect(show.output.contains(#""priceToPay":"#))
    #expect(plain.output.contains("url\t\(server.address)/products/3\n"))
    #expect(other.exit == .exited(status: 0) && !other.output.contains(#""url""#))
  }
}
