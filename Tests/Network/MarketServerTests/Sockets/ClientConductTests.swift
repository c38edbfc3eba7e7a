import Expectations
import MarketServer
import Testing

/// Clients that are slow, gone or too many, over real sockets.
struct ClientConductTests {
  private static let post = "POST /it HTTP/1.1\r\nHost: a\r\n"
  private static let largest = ServerLimits().body

  @Test(arguments: [
    "Content-Length: 4194304\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n400000\r\n",
  ])
  func `six clients that trickle a body keep nobody else from writing, and lose their place`(
    _ framing: String
  ) async throws {
    var limits = ServerLimits()
    limits.idleSeconds = 1
    let server = try Self.server(limits)
    let slow = try (1...6).map { _ in try RawConnection(to: server.address.port) }
    for client in slow { client.send(Self.post + framing + "abc") }

    let another = try RawConnection(to: server.address.port)
    another.send(Self.post + "Content-Length: \(Self.largest)\r\nConnection: close\r\n\r\n")
    another.send([UInt8](repeating: 0x61, count: Self.largest))
    let answer = await another.answer()

    #expect(answer.hasSuffix("POST /it \(Self.largest) plain 127.0.0.1"))
    for client in slow { await client.trickle() }
    await server.stop(after: 0)
  }

  @Test func `what came quickly buys no time for trickling`() async throws {
    var limits = ServerLimits()
    limits.idleSeconds = 1
    let server = try Self.server(limits)
    let client = try RawConnection(to: server.address.port)

    client.send(Self.post + "Content-Length: \(Self.largest)\r\n\r\n")
    client.send([UInt8](repeating: 0x61, count: Self.largest - 100_000))

    await client.trickle()
    await server.stop(after: 0)
  }

  @Test func `the bodies of one address have a share, and leave the rest to others`() async throws {
    var limits = ServerLimits()
    limits.bodiesOfAddress = 1_000
    let server = try Self.server(limits)
    let held = try RawConnection(to: server.address.port)
    held.send(Self.post + "Content-Length: 990\r\n\r\n" + String(repeating: "a", count: 900))
    // The same thread reads both, in the order in which they came.
    _ = try await Self.exchange("GET /known HTTP/1.1\r\nHost: a\r\n", "", with: server)

    let body = String(repeating: "a", count: 200)
    let same = try await Self.exchange(Self.post + "Content-Length: 200\r\n", body, with: server)
    let other = try await Self.exchange(
      Self.post + "Content-Length: 200\r\n", body, with: server, from: 2)

    #expect(same.hasPrefix("HTTP/1.1 503 "))
    #expect(same.contains("\r\nRetry-After: 1\r\n"))
    #expect(other.hasSuffix("POST /it 200 plain 127.0.0.2"))
    held.reset()
    await server.stop(after: 10)
  }

  @Test func `requests of one address wait for each other, those of others do not`() async throws {
    var limits = ServerLimits()
    limits.answersOfAddress = 2
    let responder = GatedAnswers()
    let server = try Self.server(limits, answering: responder)
    let clients = try (1...5).map { _ in try RawConnection(to: server.address.port) }
    for client in clients {
      client.send("GET /held HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    }
    await responder.begun(2)

    let other = try await Self.exchange(
      "GET /free HTTP/1.1\r\nHost: a\r\n", "", with: server, from: 2)

    #expect(other.hasPrefix("HTTP/1.1 200 "))
    expect(responder.count, 2)
    clients[4].reset()
    responder.release()
    for client in clients.prefix(4) { #expect(await client.answer().hasPrefix("HTTP/1.1 200 ")) }
    await server.stop(after: 10)
  }

  @Test func `32 clients that take nothing keep no turn from another one`() async throws {
    var limits = ServerLimits()
    limits.idleSeconds = 3_600
    let server = try Self.server(limits, answering: FoundAnswers())
    let slow = try (0..<32).map { try RawConnection(to: server.address.port, from: 2 + $0 % 4) }
    for client in slow {
      client.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(await client.isAnswered(withinSeconds: 20))
    }

    let answers = try await Self.answers(
      to: "GET /small HTTP/1.1\r\nHost: a\r\n", from: server)

    #expect(answers.allSatisfy { $0.hasSuffix("\r\n\r\nsmall") })
    for client in slow { client.reset() }
    await server.stop(after: 10)
  }

  /// Bytes that one thread may keep for clients, in all and of one address, and how many answers of
  /// 64 MB each of three addresses has at most then.
  @Test(arguments: [(1 << 30, 130 << 20, [2, 2, 2]), (300 << 20, 1 << 30, [1, 1, 2])])
  func `answers that nobody takes have a bound of bytes, and the oldest go`(
    _ all: Int, _ ofAddress: Int, _ left: [Int]
  ) async throws {
    var limits = ServerLimits()
    limits.unsentBytes = all
    limits.unsentBytesOfAddress = ofAddress
    limits.idleSeconds = 3_600
    let server = try Self.server(limits, answering: FoundAnswers())
    let slow = try (0..<12).map { try RawConnection(to: server.address.port, from: 2 + $0 % 3) }
    for client in slow {
      client.send("GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
      #expect(await client.isAnswered(withinSeconds: 20))
    }
    // The same thread answers it after it has looked for room.
    _ = try await Self.exchange("GET /small HTTP/1.1\r\nHost: a\r\n", "", with: server)

    let isWhole = await withTaskGroup(of: (Int, Bool).self) { group in
      for (number, client) in slow.enumerated() {
        group.addTask { (number, await client.answer().utf8.count > 64 << 20) }
      }
      return await group.reduce(into: [Int: Bool]()) { $0[$1.0] = $1.1 }
    }

    let whole = slow.indices.filter { isWhole[$0] == true }
    let counts = (0..<3).map { address in whole.count { $0 % 3 == address } }
    expect(counts.sorted(), left, "\(whole)")
    // Of each address the last ones.
    for (address, count) in counts.enumerated() {
      let own = slow.indices.filter { $0 % 3 == address }
      #expect(own.suffix(count).allSatisfy(whole.contains), "\(whole)")
    }
    await server.stop(after: 10)
  }

  @Test func `a body that was answered leaves its share`() async throws {
    var limits = ServerLimits()
    limits.bodiesOfAddress = 200
    limits.allBodies = 200
    let server = try Self.server(limits)

    for _ in 1...20 {
      let answer = try await Self.exchange(
        Self.post + "Content-Length: 200\r\n", String(repeating: "a", count: 200), with: server)
      #expect(answer.hasPrefix("HTTP/1.1 200 "))
    }

    await server.stop(after: 10)
  }

  @Test(arguments: [
    "", "GET /kn", "GET /known HTTP/1.1\r\nHost: a\r\n",
    post + "Content-Length: 4000000\r\n\r\nabc",
    post + "Transfer-Encoding: chunked\r\n\r\n400000\r\nabc",
  ])
  func `a client that leaves in the middle of a request is gone at once`(
    _ beginning: String
  ) async throws {
    var limits = ServerLimits()
    limits.idleSeconds = 3_600
    let events = ConnectionEvents()
    let server = try HTTPServer(
      on: ListeningSocket(on: HostAndPort(host: "127.0.0.1", port: 0)), answering: EchoResponder(),
      limits: limits, observe: events.observe)

    for _ in 1...50 {
      let client = try RawConnection(to: server.address.port)
      client.send(beginning)
      client.endSending()
    }

    await events.disconnected(50)
    await server.stop(after: 3_600)
  }

  @Test func `a client that breaks off while its answer is found is gone at once`() async throws {
    let responder = HeldResponder()
    let events = ConnectionEvents()
    let server = try HTTPServer(
      on: ListeningSocket(on: HostAndPort(host: "127.0.0.1", port: 0)), answering: responder,
      observe: events.observe)
    let client = try RawConnection(to: server.address.port)
    client.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
    await responder.arrival()

    client.reset()

    await events.disconnected(1)
    await server.stop(after: 3_600)
    responder.release()
  }

  @Test func `a client that ends its direction after a whole request gets its answer`()
    async throws
  {
    let responder = HeldResponder()
    let server = try HTTPServer(
      on: ListeningSocket(on: HostAndPort(host: "127.0.0.1", port: 0)), answering: responder)
    let client = try RawConnection(to: server.address.port)

    client.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
    client.endSending()
    await responder.arrival()
    responder.release()

    #expect(await client.answer().hasSuffix("\r\n\r\nlet go"))
    await server.stop(after: 10)
  }

  @Test func `all whole requests before the end are answered`() async throws {
    let server = try Self.server(ServerLimits())
    let client = try RawConnection(to: server.address.port)

    client.send(
      String(repeating: "GET /found HTTP/1.1\r\nHost: a\r\n\r\n", count: 3) + "GET /kno")
    client.endSending()

    let answer = await client.answer()
    expect(answer.split(separator: "GET /found 0").count, 4)
    await server.stop(after: 10)
  }

  @Test func `more requests than are read ahead are all answered`() async throws {
    let server = try Self.server(ServerLimits())
    let client = try RawConnection(to: server.address.port)
    let count = 5_000

    async let answer = client.answer()
    client.send(String(repeating: "GET /found HTTP/1.1\r\nHost: a\r\n\r\n", count: count))
    client.endSending()

    await expect(answer.split(separator: "GET /found 0").count, count + 1)
    await server.stop(after: 10)
  }

  @Test func `one address has a bound of connections`() async throws {
    let server = try Self.server(Self.threeConnections)
    let port = server.address.port
    let idle = try (1...3).map { _ in try RawConnection(to: port) }
    for client in idle { client.send("GET /known HTTP/1.1\r\nHost: a\r\n\r\n") }

    let refused = await (try RawConnection(to: port)).answer()
    let other = try await Self.exchange(
      "GET /known HTTP/1.1\r\nHost: a\r\n", "", with: server, from: 2)

    #expect(refused.hasPrefix("HTTP/1.1 503 "))
    #expect(other.hasPrefix("HTTP/1.1 200 "))
    await server.stop(after: 10)
    _ = idle
  }

  @Test func `behind a proxy the proxy's address has no bound of connections`() async throws {
    let server = try HTTPServer(
      on: ListeningSocket(on: HostAndPort(host: "127.0.0.1", port: 0)), answering: EchoResponder(),
      limits: Self.threeConnections, trustsProxy: true)
    let idle = try (1...5).map { _ in try RawConnection(to: server.address.port) }

    let answer = try await Self.exchange("GET /known HTTP/1.1\r\nHost: a\r\n", "", with: server)

    #expect(answer.hasPrefix("HTTP/1.1 200 "))
    await server.stop(after: 10)
    _ = idle
  }

  /// What connections may have come to that hold a place, as much as a client has sent.
  @Test(arguments: [
    "", "\r\n", "GET /kn", "GET /known HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /found HTTP/1.1\r\nHost: a\r\n\r\n", "GET /known HTTP/1.1\r\nHost: a\r\n\r\nGET",
    "GET /known HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
  ])
  func `five addresses that hold all connections keep nobody else out`(
    _ beginning: String
  ) async throws {
    var limits = ServerLimits()
    limits.connections = 10
    limits.connectionsOfAddress = 2
    limits.idleSeconds = 3_600
    let server = try Self.server(limits)
    let idle = try (0..<10).map { try RawConnection(to: server.address.port, from: 2 + $0 / 2) }
    for client in idle {
      client.send(beginning)
      if beginning.hasSuffix("\r\n\r\n") { #expect(await client.isAnswered(withinSeconds: 20)) }
    }

    let answers = try await Self.answers(
      to: "GET /known HTTP/1.1\r\nHost: a\r\n", from: server)

    #expect(answers.allSatisfy { $0.hasPrefix("HTTP/1.1 200 ") })
    for client in idle { client.reset() }
    await server.stop(after: 10)
  }

  @Test func `the connection that rested longest gives way, and no request that is answered`()
    async throws
  {
    var limits = ServerLimits()
    limits.connections = 3
    limits.idleSeconds = 3_600
    let responder = GatedAnswers()
    let server = try Self.server(limits, answering: responder)
    let port = server.address.port
    let busy = try RawConnection(to: port)
    busy.send("GET /held HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    await responder.begun(1)
    let rested = try RawConnection(to: port)
    let fresh = try RawConnection(to: port)
    for client in [fresh, rested, fresh] {
      client.send("GET /free HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(await client.text(upTo: "done").hasPrefix("HTTP/1.1 200 "))
    }

    let newcomer = try RawConnection(to: port)
    newcomer.send("GET /free HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(await newcomer.text(upTo: "done").hasPrefix("HTTP/1.1 200 "))

    await expect(rested.answer(), "")
    fresh.send("GET /free HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(await fresh.text(upTo: "done").hasPrefix("HTTP/1.1 200 "))
    responder.release()
    #expect(await busy.answer().hasPrefix("HTTP/1.1 200 "))
    await server.stop(after: 10)
  }

  @Test func `a server full of requests goes on as soon as one is answered`() async throws {
    var limits = ServerLimits()
    limits.connections = 2
    limits.idleSeconds = 3_600
    let responder = GatedAnswers()
    let server = try Self.server(limits, answering: responder)
    let port = server.address.port
    let busy = try (1...2).map { _ in try RawConnection(to: port) }
    for client in busy {
      client.send("GET /held HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    }
    await responder.begun(2)

    let waiting = try RawConnection(to: port)
    waiting.send("GET /free HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    responder.release()

    for client in busy + [waiting] { #expect(await client.answer().hasSuffix("done")) }
    await server.stop(after: 10)
  }

  @Test(arguments: [
    post + "Content-Length: 9\r\n\r\nabc", "GET /large HTTP/1.1\r\nHost: a\r\n\r\n",
  ])
  func `who stands still in the middle gives way where nobody rests`(
    _ beginning: String
  ) async throws {
    var limits = ServerLimits()
    limits.connections = 4
    limits.idleSeconds = 3_600
    let server = try Self.server(limits, answering: FoundAnswers())
    let still = try (1...4).map { _ in try RawConnection(to: server.address.port, from: 2) }
    for client in still { client.send(beginning) }

    let answer = try await Self.exchange("GET /small HTTP/1.1\r\nHost: a\r\n", "", with: server)

    #expect(answer.hasSuffix("\r\n\r\nsmall"))
    for client in still { client.reset() }
    await server.stop(after: 10)
  }

  @Test func `an answer to somebody who takes none does not keep the others waiting`()
    async throws
  {
    var limits = ServerLimits()
    limits.idleSeconds = 1
    let events = ConnectionEvents()
    let server = try HTTPServer(
      on: ListeningSocket(on: HostAndPort(host: "127.0.0.1", port: 0)),
      answering: LargeResponder(), limits: limits, observe: events.observe)
    let lazy = try RawConnection(to: server.address.port)
    lazy.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n")

    let answer = try await Self.exchange("GET /small HTTP/1.1\r\nHost: a\r\n", "", with: server)

    #expect(answer.hasSuffix("\r\n\r\nsmall"))
    // The one that answered well, and the one that took nothing.
    await events.disconnected(2)
    await server.stop(after: 10)
  }

  @Test func `a name with several addresses is served at all of them`() async throws {
    let server = try HTTPServer(
      on: ListeningSocket(on: HostAndPort(host: "localhost", port: 0)), answering: EchoResponder())

    let request = "GET /known HTTP/1.1\nHost: a\nConnection: close\n\n"
    let answer = try await RawClient(server).exchange(request)

    #expect(answer.hasPrefix("HTTP/1.1 200 "))
    await server.stop(after: 10)
  }

  private static var threeConnections: ServerLimits {
    var limits = ServerLimits()
    limits.connectionsOfAddress = 3
    return limits
  }

  private static func server(
    _ limits: ServerLimits, answering responder: any HTTPResponder = EchoResponder()
  ) throws -> HTTPServer {
    try HTTPServer(
      on: ListeningSocket(on: HostAndPort(host: "127.0.0.1", port: 0)),
      answering: responder, limits: limits)
  }

  /// Responses to repeated requests, each from another address, until a response is missing.
  private static func answers(to head: String, from server: HTTPServer) async throws -> [String] {
    var answers: [String] = []
    // An address each: the server may still count the connection that was closed last.
    for number: UInt32 in 1...9 {
      let client = try RawConnection(to: server.address.port, from: 90 + number)
      client.send(head + "Connection: close\r\n\r\n")
      guard await client.isAnswered(withinSeconds: 20) else { return answers + ["silence"] }
      answers.append(await client.answer())
    }
    return answers
  }

  private static func exchange(
    _ head: String, _ body: String, with server: HTTPServer, from source: UInt32 = 1
  ) async throws -> String {
    let client = try RawConnection(to: server.address.port, from: source)
    client.send(head + "Connection: close\r\n\r\n" + body)
    return await client.answer()
  }
}
