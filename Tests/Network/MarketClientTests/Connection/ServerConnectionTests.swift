import Expectations
import HTTPTestSupport
import MarketAPI
import MarketClient
import MarketModel
import Synchronization
import Testing

struct ServerConnectionTests {
  private let base: WebAddress
  private let pauses = Pauses()

  init() throws {
    base = try #require(WebAddress("https://market.example/shop"))
  }

  @Test func `the server's own path stands before every target`() async throws {
    let transport = FakeTransport { _, _ in .status(200) }

    _ = try await connection(transport).answer(to: HTTPRequest(.get, "/items/1?a=b"))

    expect(transport.hops.map(\.address.text), ["https://market.example/shop/items/1?a=b"])
  }

  // MARK: Repeating

  @Test(arguments: [502, 503, 504])
  func `a server in trouble is asked again, ever later`(_ status: Int) async throws {
    let transport = FakeTransport { _, count in .status(count < 2 ? status : 200) }

    let response = try await connection(transport).answer(to: HTTPRequest(.get, "/"))

    expect(response.status, .ok)
    expect(pauses.all, [.milliseconds(250), .milliseconds(500)])
  }

  @Test func `a dropped connection is tried again, but not for ever`() async {
    let transport = FakeTransport { _, _ throws(TransportError) in throw .disconnected }

    await #expect(throws: TransportError.disconnected) {
      try await connection(transport).answer(to: HTTPRequest(.get, "/"))
    }
    expect(transport.hops.count, 3)
  }

  @Test func `what changes something is never repeated`() async throws {
    let transport = FakeTransport { _, _ in .status(503) }

    let response = try await connection(transport).answer(to: HTTPRequest(.post, "/item"))

    expect(response.status, .serviceUnavailable)
    expect(transport.hops.count, 1)
  }

  @Test(arguments: ["7", "Sun, 06 Nov 1994 08:49:37 GMT"])
  func `the pause that a server asks for is kept`(_ pause: String) async throws {
    let transport = FakeTransport { _, count in
      .status(
        count == 0 ? 503 : 200,
        headers: ["Date": "Sun, 06 Nov 1994 08:49:30 GMT", "Retry-After": pause])
    }

    _ = try await connection(transport).answer(to: HTTPRequest(.get, "/"))

    expect(pauses.all, [.seconds(7)])
  }

  @Test func `a pause that is too long is not waited for`() async throws {
    let transport = FakeTransport { _, _ in .status(503, headers: ["Retry-After": "3600"]) }

    let response = try await connection(transport).answer(to: HTTPRequest(.get, "/"))

    expect(response.status, .serviceUnavailable)
    #expect(pauses.all.isEmpty)
  }

  @Test func `a time-out is not waited for twice`() async {
    let transport = FakeTransport { _, _ throws(TransportError) in throw .timedOut }

    await #expect(throws: TransportError.timedOut) {
      try await connection(transport).answer(to: HTTPRequest(.get, "/"))
    }
    expect(transport.hops.count, 1)
  }

  // MARK: Redirects

  @Test func `a redirect is followed, and credentials stay at their origin`() async throws {
    let transport = FakeTransport { _, count in
      switch count {
      case 0: .redirect(to: "https://market.example/elsewhere")
      case 1: .redirect(to: "https://other.example/")
      default: .status(200)
      }
    }

    _ = try await connection(transport).answer(
      to: HTTPRequest(.get, "/", headers: ["identifier": "secret", "Accept": "x"]))

    expect(transport.hops.map { $0.headers["identifier"] }, ["secret", "secret", nil])
    expect(transport.hops.last?.headers["Accept"], "x")
    expect(transport.hops.map(\.addressPolicy), [.none, .none, .around(market: nil)])
  }

  @Test func `a redirect that never ends is given up after five`() async {
    let transport = FakeTransport { _, count in .redirect(to: "https://market.example/\(count)") }

    await #expect(throws: TransportError.tooManyRedirects) {
      try await connection(transport).answer(to: HTTPRequest(.get, "/"))
    }
    expect(transport.hops.count, 6)
  }

  @Test(arguments: [
    ("http://market.example/", TransportError.redirectUnencrypted),
    ("file:///etc/passwd", .redirectRefused),
    ("ftp://market.example/", .redirectRefused),
    ("https://user@market.example/", .redirectRefused),
    ("https://market.example\\@other.example/", .redirectRefused),
  ])
  func `a redirect to a bad place is refused`(
    _ location: String, _ error: TransportError
  ) async {
    let transport = FakeTransport { _, _ in .redirect(to: location) }

    await #expect(throws: error) {
      try await connection(transport).answer(to: HTTPRequest(.get, "/"))
    }
  }

  @Test func `what changes something is not sent to another origin`() async {
    let transport = FakeTransport { _, _ in
      .redirect(to: "https://other.example/", status: 307)
    }

    await #expect(throws: TransportError.redirectRefused) {
      try await connection(transport).answer(to: HTTPRequest(.patch, "/item/1"))
    }
    expect(transport.hops.count, 1)
  }

  @Test func `a server that moves to https is asked there from then on`() async throws {
    let transport = FakeTransport { hop, _ in
      hop.address.origin.scheme == .http
        ? .redirect(to: "https://market.example" + hop.address.target) : .status(200)
    }
    let connection = ServerConnection(
      to: try #require(WebAddress("http://market.example/shop")), over: transport)
    _ = try await connection.answer(to: HTTPRequest(.get, "/items/1"))

    let response = try await connection.answer(to: HTTPRequest(.post, "/item"))

    expect(response.status, .ok)
    expect(transport.hops.last?.address.text, "https://market.example/shop/item")
  }

  // MARK: Pictures

  @Test func `a picture that redirects to where machines keep secrets is not fetched`()
    async throws
  {
    let server = try ScriptedServer { _, _ in
      [.redirect(to: "http://169.254.169.254/latest/meta-data/")]
    }
    let address = try #require(WebAddress(server.base))
    let connection = ServerConnection(to: address, over: CurlTransport())

    await #expect(throws: TransportError.fenced) {
      try await connection.picture(at: address.appending("/1.jpg"))
    }
  }

  @Test func `a picture elsewhere is fetched inside the fence and without credentials`()
    async throws
  {
    let transport = FakeTransport { _, _ in .status(200) }
    let connection = connection(transport)
    _ = try await connection.answer(to: HTTPRequest(.get, "/"))

    _ = try await connection.picture(at: try #require(WebAddress("http://169.254.169.254/key")))
    _ = try await connection.picture(at: try #require(WebAddress("https://market.example/1.jpg")))

    expect(transport.hops.map(\.addressPolicy), [.none, .around(market: nil), .none])
  }

  /// A market on this computer, and another server there whose address the user has not entered.
  @Test(arguments: ["/pictures/1.jpg", "/pictures/" + String(repeating: "a", count: 64)])
  func `a market on this computer leads nobody to another port`(_ picture: String) async throws {
    let other = try ScriptedServer { _, _ in [.answer()] }
    let market = try ScriptedServer { _, _ in [.redirect(to: other.base + picture)] }
    let address = try #require(WebAddress(market.base))
    let named = try #require(WebAddress(other.base + picture))
    let connection = ServerConnection(
      to: address, over: CurlTransport(), retryEnvironment: pauses.retryEnvironment,
      contentHash: { $0 })

    for _ in 1...2 {
      await #expect(throws: TransportError.fenced) { try await connection.picture(at: named) }
      await #expect(throws: TransportError.self) {
        try await connection.picture(at: address.appending(picture))
      }
      await #expect(throws: TransportError.fenced) {
        try await connection.answer(to: HTTPRequest(.get, "/items/1"))
      }
      await #expect(throws: TransportError.fenced) {
        try await connection.stream(HTTPRequest(.get, "/api/changes")) { _ in true }
      }
    }

    #expect(other.requests.isEmpty)
  }

  /// How a market was opened, what it names, and whether that may be in the market's own network.
  @Test(arguments: [
    ("http://10.0.0.7:8080", "http://10.0.0.7:8081", false),
    ("http://10.0.0.7", "http://10.0.0.1", false),
    ("http://10.0.0.7", "https://10.0.0.7", true),
    ("http://10.0.0.7", "https://10.0.0.7:8443", false),
    ("http://10.0.0.7:8080", "https://10.0.0.7", false),
    ("https://10.0.0.7", "https://10.0.0.7:8443", false),
    ("http://10.0.0.7", "http://nas", false), ("http://nas", "http://nas:81", false),
    ("https://market.example", "https://market.example:8443", false),
    ("https://market.example", "https://127.0.0.1", false),
  ])
  func `a market in a private network names its own origin there, and nothing else`(
    _ base: String, _ named: String, _ isHome: Bool
  ) async throws {
    let transport = FakeTransport { hop, count in
      var answer: HTTPHopResponse = count == 1 ? .redirect(to: named + "/2.jpg") : .status(200)
      answer.zone = .local
      return answer
    }
    let connection = ServerConnection(
      to: try #require(WebAddress(base)), over: transport, retryEnvironment: pauses.retryEnvironment
    )

    _ = try await connection.answer(to: HTTPRequest(.get, "/"))
    _ = try await connection.picture(at: try #require(WebAddress(base + "/1.jpg")))

    expect(transport.hops.last?.addressPolicy, isHome ? AddressPolicy.none : .around(market: nil))
  }

  // MARK: Positions

  private static let position: HTTPHeaders = [
    HeaderName.extensions: "1", HeaderName.marketPosition: "c8",
  ]

  /// What a connection says of its position with each request.
  private func said(_ transport: FakeTransport) -> [String?] {
    transport.hops.map { $0.headers[HeaderName.marketPosition] }
  }

  @Test func `the position of one's own change is said with what is read, for some seconds`()
    async throws
  {
    let transport = FakeTransport { hop, _ in
      .status(201, headers: hop.method == .post ? Self.position : [:])
    }
    let hands = Mutex(ContinuousClock.now)
    let connection = ServerConnection(
      to: base, over: transport,
      retryEnvironment: ServerConnection.RetryEnvironment(now: { hands.withLock { $0 } }))

    for method in [HTTPMethod.get, .post, .get, .post, .get] {
      _ = try await connection.answer(to: HTTPRequest(method, "/"))
    }
    hands.withLock { $0 += .seconds(5) }
    _ = try await connection.answer(to: HTTPRequest(.get, "/"))

    expect(said(transport), [nil, nil, "c8", nil, "c8", nil])
  }

  @Test func `no other server is told it`() async throws {
    let transport = FakeTransport { hop, count in
      switch count {
      case 0: .status(201, headers: Self.position)
      case 1: .redirect(to: "https://other.example/")
      default: .status(200, headers: Self.position)
      }
    }
    let connection = connection(transport)

    _ = try await connection.answer(to: HTTPRequest(.post, "/"))
    _ = try await connection.answer(to: HTTPRequest(.get, "/"))
    _ = try await connection.picture(at: try #require(WebAddress("https://other.example/1.jpg")))

    expect(said(transport), [nil, "c8", nil, nil])
  }

  @Test(arguments: ["", "C8", "-1", "11112222333344445", "c8\r\nX: 1"])
  func `what is no position is not said back`(word: String) async throws {
    var headers = Self.position
    headers[HeaderName.marketPosition] = word
    let transport = FakeTransport { [headers] _, _ in .status(201, headers: headers) }
    let connection = connection(transport)

    _ = try await connection.answer(to: HTTPRequest(.post, "/"))
    _ = try await connection.answer(to: HTTPRequest(.get, "/"))

    expect(said(transport), [nil, nil])
  }

  private func connection(_ transport: FakeTransport) -> ServerConnection {
    ServerConnection(to: base, over: transport, retryEnvironment: pauses.retryEnvironment)
  }
}

/// A clock on which pauses pass at once and are written down; chance always says 0.
final class Pauses: Sendable {
  private let taken = Mutex<[Duration]>([])

  var all: [Duration] { taken.withLock { $0 } }

  var retryEnvironment: ServerConnection.RetryEnvironment {
    ServerConnection.RetryEnvironment(
      pause: { [self] pause in taken.withLock { $0.append(pause) } }, random: { 0 })
  }
}
