import MarketServer
import Testing

/// Clients that are slow, gone or too many, over real sockets.
@Suite(.timeLimit(.minutes(2))) struct ClientConductTests {
  private static let post = "POST /it HTTP/1.1\r\nHost: a\r\n"
  private static let largest = 4 << 20

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
    #expect(responder.count == 2)
    clients[4].reset()
    responder.release()
    for client in clients.prefix(4) { #expect(await client.answer().hasPrefix("HTTP/1.1 200 ")) }
    await server.stop(after: 10)
  }

  @Test func `a large answer keeps its turn until the client has taken it`() async throws {
    var limits = ServerLimits()
    limits.answersOfAddress = 1
    let server = try Self.server(limits, answering: FoundAnswers())
    let slow = try RawConnection(to: server.address.port)
    slow.send("GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    #expect(await slow.next(12) == "HTTP/1.1 200")
    let next = try RawConnection(to: server.address.port)
    next.send("GET /small HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    let other = try await Self.exchange(
      "GET /small HTTP/1.1\r\nHost: a\r\n", "", with: server, from: 2)

    #expect(other.hasPrefix("HTTP/1.1 200 "))
    #expect(!next.hasAnswer)
    slow.reset()
    #expect(await next.answer().hasPrefix("HTTP/1.1 200 "))
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
    responder.letGo()
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
    responder.letGo()

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
    #expect(answer.split(separator: "GET /found 0").count == 4)
    await server.stop(after: 10)
  }

  @Test func `more requests than are read ahead are all answered`() async throws {
    let server = try Self.server(ServerLimits())
    let client = try RawConnection(to: server.address.port)
    let count = 5_000

    async let answer = client.answer()
    client.send(String(repeating: "GET /found HTTP/1.1\r\nHost: a\r\n\r\n", count: count))
    client.endSending()

    #expect(await answer.split(separator: "GET /found 0").count == count + 1)
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

  @Test func `a full server goes on as soon as somebody leaves`() async throws {
    var limits = ServerLimits()
    limits.connections = 2
    limits.idleSeconds = 3_600
    let server = try Self.server(limits)
    let port = server.address.port
    let idle = try (1...2).map { _ in try RawConnection(to: port) }

    let waiting = try RawConnection(to: port)
    waiting.send("GET /known HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    idle[0].endSending()

    #expect(await waiting.answer().hasPrefix("HTTP/1.1 200 "))
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

  private static func exchange(
    _ head: String, _ body: String, with server: HTTPServer, from source: UInt32 = 1
  ) async throws -> String {
    let client = try RawConnection(to: server.address.port, from: source)
    client.send(head + "Connection: close\r\n\r\n" + body)
    return await client.answer()
  }
}
