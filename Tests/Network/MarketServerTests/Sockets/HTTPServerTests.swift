import Expectations
import MarketAPI
import MarketServer
import Testing

struct HTTPServerTests {
  private static let end = "Host: market.example\nConnection: close\n"

  @Test(arguments: ["/known", "/found%20out?page_no=1"])
  func `a request is answered over a socket`(_ target: String) async throws {
    let server = try Self.server()

    let answer = try await RawClient(server).exchange("GET \(target) HTTP/1.1\n\(Self.end)\n")

    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(answer.hasSuffix("\r\n\r\nGET \(target) 0 plain 127.0.0.1"))
    await server.stop(after: 10)
  }

  @Test func `the answer to HEAD has the length of the body and no body`() async throws {
    let server = try Self.server()

    let answer = try await RawClient(server).exchange("HEAD /known HTTP/1.1\n\(Self.end)\n")

    #expect(answer.contains("Content-Length: 29\r\n"))
    #expect(answer.hasSuffix("\r\n\r\n"))
    await server.stop(after: 10)
  }

  @Test func `requests of one connection are answered in their order`() async throws {
    let server = try Self.server()

    let answer = try await RawClient(server).exchange(
      """
      POST /first HTTP/1.1
      Host: market.example
      Content-Length: 3

      abcGET /known HTTP/1.1
      Host: market.example

      GET /third HTTP/1.1
      \(Self.end)

      """)

    let bodies = answer.split(separator: "\r\n").filter { $0.contains(" plain ") }
    expect(bodies.count, 3)
    expect(bodies.first?.hasPrefix("POST /first 3"), true)
    expect(bodies.last?.hasPrefix("GET /third 0"), true)
    await server.stop(after: 10)
  }

  @Test func `a body of unknown length is read`() async throws {
    let server = try Self.server()

    let answer = try await RawClient(server).exchange(
      "DELETE /it HTTP/1.1\nTransfer-Encoding: chunked\n\(Self.end)\n5\nabcde\n2\nfg\n0\n\n")

    #expect(answer.hasSuffix("DELETE /it 7 plain 127.0.0.1"))
    await server.stop(after: 10)
  }

  @Test func `a client that asks before it sends a body is asked for it`() async throws {
    let server = try Self.server()
    let client = try RawConnection(to: server.address.port)
    let invitation = "HTTP/1.1 100 Continue\r\n\r\n"

    client.send(
      "POST /it HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 3\r\n"
        + "Expect: 100-Continue\r\n\r\n")
    let invited = await client.next(invitation.utf8.count)
    client.send("abc")

    expect(invited, invitation)
    #expect(await client.answer().hasSuffix("POST /it 3 plain 127.0.0.1"))
    await server.stop(after: 10)
  }

  @Test func `a client of HTTP 1 0 keeps its connection where it asks to`() async throws {
    let server = try Self.server()

    let answer = try await RawClient(server).exchange(
      "GET /known HTTP/1.0\nConnection: Keep-Alive\n\nGET /known HTTP/1.0\n\n")

    let answers = answer.split(separator: "HTTP/1.1 200 OK\r\n")
    expect(answers.count, 2)
    expect(answers.first?.contains("\r\nConnection: keep-alive\r\n"), true)
    expect(answers.last?.contains("\r\nConnection: close\r\n"), true)
    await server.stop(after: 10)
  }

  @Test func `an answer is dated as RFC 9110 has it`() async throws {
    let server = try Self.server()

    let answer = try await RawClient(server).exchange("GET /known HTTP/1.1\n\(Self.end)\n")

    let date = /\r\nDate: [A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT\r\n/
    #expect(answer.contains(date))
    await server.stop(after: 10)
  }

  @Test(arguments: [
    ("Content-Length: 1\nContent-Length: 1\n", 400),
    ("Content-Length: 1\nContent-Length: 2\n", 400),
    ("Content-Length: 3\nTransfer-Encoding: chunked\n", 400),
    ("Transfer-Encoding: chunked\nTransfer-Encoding: chunked\n", 400),
    ("Transfer-Encoding: gzip\n", 400),
    ("Content-Length: -1\n", 400),
    ("Content-Length: 6291457\nExpect: 100-continue\n", 413),
    ("Content-Length: 99999999\n", 413),
    ("Host: another.example\n", 400),
    ("X-Large: \(String(repeating: "x", count: 16_384))\n", 431),
  ])
  func `what could mean two things, or is too large, is refused at once`(
    _ headers: String, _ status: Int
  ) async throws {
    let server = try Self.server()

    let answer = try await RawClient(server).exchange(
      "POST /it HTTP/1.1\n\(headers)\(Self.end)\n")

    #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
    #expect(!answer.contains("plain"))
    await server.stop(after: 10)
  }

  @Test func `a body that is somewhat too large is refused when it is there`() async throws {
    var limits = ServerLimits()
    limits.body = 1_000
    let server = try Self.server(limits)

    let answer = try await RawClient(server).exchange(
      "POST /it HTTP/1.1\nContent-Length: 8000\n\(Self.end)\n",
      body: Array(repeating: 0x78, count: 8_000))

    #expect(answer.hasPrefix("HTTP/1.1 413 "))
    await server.stop(after: 10)
  }

  @Test func `a request without a host is refused`() async throws {
    let server = try Self.server()

    let answer = try await RawClient(server).exchange(
      "GET /known HTTP/1.1\nConnection: close\n\n")

    #expect(answer.hasPrefix("HTTP/1.1 400 "))
    await server.stop(after: 10)
  }

  @Test func `a body that grows too large on the way ends the connection`() async throws {
    var limits = ServerLimits()
    limits.body = 1_000
    let server = try Self.server(limits)

    let chunk = "3e8\n\(String(repeating: "x", count: 1_000))\n"
    let answer = try await RawClient(server).exchange(
      "POST /it HTTP/1.1\nTransfer-Encoding: chunked\n\(Self.end)\n\(chunk)\(chunk)0\n\n")

    #expect(!answer.contains("200 OK"))
    await server.stop(after: 10)
  }

  @Test func `bodies beyond what all may have together come later`() async throws {
    var limits = ServerLimits()
    limits.allBodies = 10
    let server = try Self.server(limits)

    let answer = try await RawClient(server).exchange(
      "POST /it HTTP/1.1\nContent-Length: 11\n\(Self.end)\nhello world")

    #expect(answer.hasPrefix("HTTP/1.1 503 "))
    #expect(answer.contains("Retry-After: 1\r\n"))
    await server.stop(after: 10)
  }

  @Test(arguments: ["GET /known HT", "POST /it HTTP/1.1\nHost: a\nContent-Length: 5\n\nabc"])
  func `a client that falls silent loses its connection`(_ beginning: String) async throws {
    var limits = ServerLimits()
    limits.idleSeconds = 1
    let server = try Self.server(limits)

    let answer = try await RawClient(server).exchange(beginning)

    #expect(!answer.contains("200 OK"))
    await server.stop(after: 10)
  }

  @Test func `a proxy in front is believed where that is wanted`() async throws {
    let server = try Self.server(trustsProxy: true)

    let answer = try await RawClient(server).exchange(
      """
      GET /known HTTP/1.1
      X-Forwarded-For: 10.0.0.1, 203.0.113.9
      X-Forwarded-Proto: https
      \(Self.end)

      """)

    #expect(answer.hasSuffix("secure 203.0.113.9"))
    await server.stop(after: 10)
  }

  @Test func `stopping lets a request that runs come to its end`() async throws {
    let responder = HeldResponder()
    let server = try Self.server(responder)
    let client = RawClient(server)
    async let answer = client.exchange("GET /slow HTTP/1.1\nHost: market.example\n\n")
    await responder.arrival()

    async let stopped: Void = server.stop(after: 60)
    responder.release()

    #expect(try await answer.hasSuffix("let go"))
    await stopped
    await #expect(throws: (any Error).self) {
      try await client.exchange("GET /late HTTP/1.1\n\(Self.end)\n")
    }
  }

  @Test func `a request that runs for too long is answered when the server stops`() async throws {
    let responder = HeldResponder()
    let server = try Self.server(responder)
    let client = RawClient(server)
    async let answer = client.exchange("GET /slow HTTP/1.1\nHost: market.example\n\n")
    await responder.arrival()

    await server.stop(after: 0)

    #expect(try await answer.hasPrefix("HTTP/1.1 503 "))
    responder.release()
  }

  @Test func `a socket on which nobody serves is given back`() throws {
    let port = try ListeningSocket(on: HostAndPort(host: "127.0.0.1", port: 0)).address.port

    #expect(throws: Never.self) {
      _ = try ListeningSocket(on: HostAndPort(host: "127.0.0.1", port: port))
    }
  }

  private static func server(
    _ limits: ServerLimits = ServerLimits(), trustsProxy: Bool = false
  ) throws -> HTTPServer {
    try HTTPServer(
      on: ListeningSocket(on: HostAndPort(host: "127.0.0.1", port: 0)),
      answering: EchoResponder(), limits: limits, trustsProxy: trustsProxy)
  }

  private static func server(_ responder: HeldResponder) throws -> HTTPServer {
    try HTTPServer(
      on: ListeningSocket(on: HostAndPort(host: "127.0.0.1", port: 0)), answering: responder)
  }
}
