import Expectations
import HTTPTestSupport
import MarketAPI
import MarketClient
import MarketModel
import Synchronization
import Testing

struct CurlTransportTests {
  private let transport = CurlTransport()

  @Test func `an answer comes back with its status, headers and body`() async throws {
    let server = try ScriptedServer { _, _ in [.answer(201, "made", headers: ["X-Word": "yes"])] }

    let answer = try await transport.answer(to: hop(server))

    expect(answer.response.status, .created)
    expect(answer.response.headers["x-word"], "yes")
    expect(answer.response.body, Array("made".utf8))
    expect(answer.zone, .loopback)
  }

  @Test func `a body is sent with its method and headers`() async throws {
    let server = try ScriptedServer { _, _ in [.answer()] }
    var request = try hop(server, method: .patch)
    request.headers = ["identifier": "abc", "Content-Type": "application/json"]
    request.body = Array("{}".utf8)

    _ = try await transport.answer(to: request)

    let received = try #require(server.requests.first)
    expect(received.method, "PATCH")
    expect(received.headers["identifier"], "abc")
    expect(received.headers["expect"], nil)
    expect(received.body, Array("{}".utf8))
  }

  @Test func `a deletion without a body sends none`() async throws {
    let server = try ScriptedServer { _, _ in [.answer()] }

    _ = try await transport.answer(to: hop(server, method: .delete))

    expect(server.requests.first?.method, "DELETE")
    expect(server.requests.first?.body, [])
  }

  @Test func `a header that would begin another one is not sent`() async throws {
    let server = try ScriptedServer { _, _ in [.answer()] }
    var request = try hop(server)
    request.headers = ["identifier": "abc\r\nX-Other: yes"]

    await #expect(throws: TransportError.malformed) { try await transport.answer(to: request) }
    #expect(server.requests.isEmpty)
  }

  @Test func `the progress of an upload ends with all bytes sent`() async throws {
    let server = try ScriptedServer { _, _ in [.answer()] }
    let latest = Mutex((0, 0))
    var request = try hop(server, method: .post)
    request.body = [UInt8](repeating: 7, count: 300_000)
    request.onUpload = { sent, total in latest.withLock { $0 = (sent, total) } }

    _ = try await transport.answer(to: request)

    #expect(latest.withLock { $0 } == (300_000, 300_000))
  }

  @Test func `a body as long as its limit passes and one byte more does not`() async throws {
    let server = try ScriptedServer { request, _ in
      let count = request.target == "/exact" ? 1_000 : 1_001
      let body = String(repeating: "x", count: count)
      return [.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"), .send(body), .close]
    }

    let exact = try await transport.answer(to: hop(server, "/exact", bytes: 1_000))

    expect(exact.response.body.count, 1_000)
    await #expect(throws: TransportError.tooLarge) {
      try await transport.answer(to: hop(server, "/longer", bytes: 1_000))
    }
  }

  @Test func `without libcurl the error says so`() async throws {
    let transport = CurlTransport(library: "libnone.so.4")

    await #expect(throws: TransportError.libraryMissing) {
      try await transport.answer(to: HTTPHop(to: "http://127.0.0.1"))
    }
  }

  @Test(arguments: Misbehavior.all)
  func `a server that misbehaves costs one error`(_ case: Misbehavior) async throws {
    let server = try ScriptedServer { _, _ in `case`.steps }

    await #expect(throws: `case`.error) {
      try await transport.answer(
        to: HTTPHop(to: server.base, bytes: 100_000, total: `case`.deadline))
    }
  }

  @Test func `nobody at the other end is a refusal`() async throws {
    let port = try ReservedPort()

    await #expect(throws: TransportError.refused) {
      try await transport.answer(to: HTTPHop(to: "http://" + port.address))
    }
  }

  @Test func `a name that does not exist is not found`() async {
    await #expect(throws: TransportError.nameNotFound) {
      try await transport.answer(to: HTTPHop(to: "http://nowhere.invalid"))
    }
  }

  @Test(arguments: [
    "127.0.0.1", "2130706433", "0177.0.0.1", "0x7f.1", "[::ffff:127.0.0.1]",
    // A name counts as where it leads at the moment of the connection.
    "localhost",
  ])
  func `a fence keeps out an address however it is spelled`(_ host: String) async throws {
    let server = try ScriptedServer { _, _ in [.answer()] }
    var request = try HTTPHop(to: "http://\(host):\(server.port)")
    request.addressPolicy = .around(market: .local)

    await #expect(throws: TransportError.fenced) { try await transport.answer(to: request) }
    #expect(server.requests.isEmpty)
  }

  @Test func `a fence around a market on this machine lets this machine through`() async throws {
    let server = try ScriptedServer { _, _ in [.answer()] }
    var request = try hop(server)
    request.addressPolicy = .around(market: .loopback)

    let answer = try await transport.answer(to: request)

    expect(answer.response.status, .ok)
  }

  @Test func `a cancelled request ends at once, whatever the server does`() async throws {
    let asked = AsyncStream<Void>.makeStream()
    let server = try ScriptedServer { _, _ in
      asked.continuation.yield()
      return [.stall]
    }
    let task = Task { [transport] in try await transport.answer(to: hop(server)) }
    for await _ in asked.stream { break }

    task.cancel()

    await #expect(throws: TransportError.cancelled) { try await task.value }
  }

  @Test func `many requests at once all get their own answer`() async throws {
    let server = try ScriptedServer { request, _ in [.answer(200, request.target)] }

    let bodies = try await withThrowingTaskGroup(of: (String, [UInt8]).self) { group in
      for number in 0..<50 {
        group.addTask { [transport] in
          let answer = try await transport.answer(to: hop(server, "/\(number)"))
          return ("/\(number)", answer.response.body)
        }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }

    expect(bodies.count, 50)
    #expect(bodies.allSatisfy { Array($0.key.utf8) == $0.value })
  }
}

/// A way in which a server misbehaves, and what it costs.
struct Misbehavior: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let steps: [ServerStep]
  let error: TransportError

  /// Long where it is not what ends the request.
  var deadline: Duration { error == .timedOut ? .milliseconds(300) : .seconds(50) }

  static let all = [
    Misbehavior("says nothing", [.stall], .timedOut),
    Misbehavior("goes without a word", [.close], .disconnected),
    Misbehavior(
      "stops half-way", [.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"), .close],
      .disconnected),
    Misbehavior(
      "announces more than may come",
      [.send("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n"), .stall], .tooLarge),
    Misbehavior(
      "sends for ever",
      [.send("HTTP/1.1 200 OK\r\n\r\n"), .sendForEver(String(repeating: "x", count: 4_096))],
      .tooLarge),
    Misbehavior(
      "trickles",
      [
        .send("HTTP/1.1 200 OK\r\n\r\n"),
        .trickle(String(repeating: "x", count: 10_000), everyMilliseconds: 20),
      ], .timedOut),
    Misbehavior(
      "sends headers for ever",
      [.send("HTTP/1.1 200 OK\r\n"), .sendForEver("X-Header: and on and on\r\n")], .malformed),
    Misbehavior("speaks no HTTP", [.send("SSH-2.0-Hello\r\n"), .close], .malformed),
    Misbehavior(
      "lies about compression",
      [.answer(200, "not compressed", headers: ["Content-Encoding": "gzip"])], .malformed),
  ]

  init(_ description: String, _ steps: [ServerStep], _ error: TransportError) {
    testDescription = description
    self.steps = steps
    self.error = error
  }
}

extension HTTPHop {
  /// A request whose time is long, unless a test wants it to end.
  init(
    to text: String, method: HTTPMethod = .get, bytes: Int = 1 << 20,
    total: Duration = .seconds(50)
  ) throws {
    self.init(
      method: method, address: try #require(WebAddress(text)),
      limits: TransferLimits(
        bodyBytes: bytes, connect: .seconds(50), idle: .seconds(50), total: total))
  }
}

private func hop(
  _ server: ScriptedServer, _ path: String = "/", method: HTTPMethod = .get,
  bytes: Int = 1 << 20
) throws -> HTTPHop {
  try HTTPHop(to: server.base + path, method: method, bytes: bytes)
}
