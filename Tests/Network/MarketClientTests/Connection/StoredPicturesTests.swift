import Expectations
import HTTPTestSupport
import MarketAPI
import MarketClient
import MarketModel
import TestSupport
import Testing
import TextCoding

/// Pictures that a market redirects to the storage which it has announced.
struct StoredPicturesTests {
  private static let file = PictureFile.jpeg(1)
  private static let other = PictureFile.jpeg(2)
  private static let path = "/pictures/" + Hexadecimal.text(of: hash(file))
  private static let key = "/pictures/a/ab/abc?X-Amz-Expires=900&X-Amz-Signature=0f"

  /// A made-up hash, as long as a real one.
  private static func hash(_ bytes: [UInt8]) -> [UInt8] {
    var digest = ContentDigest()
    digest.add(bytes)
    return (0..<32).map { UInt8(truncatingIfNeeded: digest.value >> UInt64($0 % 8 * 8)) }
  }

  private static func announcing(_ storage: String) -> [String: String] {
    ["Market-Extensions": "1", "Market-Storage": storage]
  }

  /// A market that announces one place and redirects its pictures to another.
  private func market(
    announcing storage: String?, redirectingTo target: String
  ) throws -> ScriptedServer {
    try ScriptedServer { request, _ in
      var headers = storage.map(Self.announcing) ?? [:]
      guard request.path.hasPrefix("/pictures/") else { return [.answer(headers: headers)] }
      headers["Location"] = target + Self.key
      return [.answer(302, headers: headers)]
    }
  }

  private func connection(_ server: ScriptedServer) throws -> ServerConnection {
    ServerConnection(
      to: try #require(WebAddress(server.base)), over: CurlTransport(),
      retryEnvironment: Pauses().retryEnvironment, contentHash: Self.hash)
  }

  private func picture(_ server: ScriptedServer) -> Picture {
    Picture(original: server.base + Self.path, thumbnail: server.base + Self.path + "-small")
  }

  @Test func `a picture comes from the storage, which is told nothing but its address`()
    async throws
  {
    let storage = try ScriptedServer { _, _ in [.answer(bytes: Self.file)] }
    let market = try market(announcing: storage.base, redirectingTo: storage.base)
    let connection = try connection(market)
    _ = try await connection.answer(
      to: HTTPRequest(.get, "/", headers: [HeaderName.identifier: "secret"]))

    let response = try await connection.picture(
      at: try #require(WebAddress(market.base + Self.path)), unless: "\"old\"")

    let request = try #require(storage.requests.first)
    expect(response, HTTPResponse(.ok, body: Self.file))
    #expect(storage.requests.count == 1 && request.target == Self.key)
    expect(Set(request.headers.keys), ["host", "user-agent", "accept", "accept-encoding"])
    expect(request.headers["user-agent"], "OpenMarket")
  }

  @Test(arguments: [true, false])
  func `a redirect to a place that was not announced leads nowhere`(
    _ isAnotherAnnounced: Bool
  ) async throws {
    let storage = try ScriptedServer { _, _ in [.answer(bytes: Self.file)] }
    let other = try ScriptedServer { _, _ in [.answer(bytes: Self.file)] }
    let market = try market(
      announcing: isAnotherAnnounced ? storage.base : nil, redirectingTo: other.base)
    let source = HTTPPictureSource(over: try connection(market))

    await #expect(throws: PictureError.missing) {
      try await source.bytes(of: picture(market), .original)
    }
    #expect(other.requests.isEmpty && storage.requests.isEmpty)
  }

  @Test func `a storage redirects nobody on`() async throws {
    let storage = try ScriptedServer { _, _ in [.redirect(to: "/elsewhere")] }
    let market = try market(announcing: storage.base, redirectingTo: storage.base)
    let connection = try connection(market)

    await #expect(throws: TransportError.redirectRefused) {
      try await connection.picture(at: try #require(WebAddress(market.base + Self.path)))
    }
    expect(storage.requests.count, 1)
  }

  @Test func `another file than the address names is not shown, and not kept`() async throws {
    let storage = try ScriptedServer { _, count in
      [.answer(bytes: count == 0 ? Self.other : Self.file)]
    }
    let market = try market(announcing: storage.base, redirectingTo: storage.base)
    let folder = try TemporaryFolder()
    let source = HTTPPictureSource(
      over: try connection(market), cache: ResponseCache(at: folder.path(of: "cache.sqlite")))

    await #expect(throws: PictureError.undecodable) {
      try await source.bytes(of: picture(market), .original)
    }
    try await expect(source.bytes(of: picture(market), .original), Self.file)
    expect(storage.requests.count, 2)
  }

  @Test func `a picture that is what its address names is never asked for again`() async throws {
    let storage = try ScriptedServer { _, _ in [.answer(bytes: Self.file)] }
    let market = try market(announcing: storage.base, redirectingTo: storage.base)
    let folder = try TemporaryFolder()
    let cache = ResponseCache(at: folder.path(of: "cache.sqlite"))
    let connection = try connection(market)
    _ = try await HTTPPictureSource(over: connection, cache: cache, now: { 0 })
      .bytes(of: picture(market), .original)

    let later = HTTPPictureSource(over: connection, cache: cache, now: { 10_000_000_000 })

    try await expect(later.bytes(of: picture(market), .original), Self.file)
    expect(market.requests.count, 1)
  }

  @Test func `a storage gives no more than a picture may have`() async throws {
    let storage = try ScriptedServer { _, _ in [.answer(bytes: Self.file)] }
    let market = try market(announcing: storage.base, redirectingTo: storage.base)
    let source = HTTPPictureSource(over: try connection(market))

    await #expect(throws: PictureError.tooLarge) {
      try await source.bytes(of: picture(market), .original, atMost: Self.file.count - 1)
    }
  }

  // MARK: Without a network

  private func connection(
    to base: String, redirectingTo target: String, announcing storage: String,
    from zone: NetworkZone = .open
  ) throws -> (ServerConnection, FakeTransport) {
    let host = try #require(WebAddress(base)).origin
    let transport = FakeTransport { hop, _ in
      if hop.address.origin != host {
        return HTTPHopResponse(response: HTTPResponse(.ok, body: Self.file), zone: .loopback)
      }
      var answer: HTTPHopResponse =
        hop.address.target == Self.path ? .redirect(to: target + Self.key) : .status(200)
      for (name, value) in Self.announcing(storage) { answer.response.headers[name] = value }
      answer.zone = zone
      return answer
    }
    let connection = ServerConnection(
      to: try #require(WebAddress(base)), over: transport, contentHash: Self.hash)
    return (connection, transport)
  }

  @Test func `the storage of an open market is asked inside the fence`() async throws {
    let (connection, transport) = try connection(
      to: "https://market.example", redirectingTo: "https://storage.example",
      announcing: "https://storage.example")

    _ = try await connection.picture(
      at: try #require(WebAddress("https://market.example" + Self.path)))

    expect(transport.hops.map(\.addressPolicy), [.none, .around(market: .open)])
  }

  /// How a person opened a market, where it answered from, and where its storage may then be.
  @Test(arguments: [
    ("http://127.0.0.1:8080", NetworkZone.loopback, NetworkZone?.some(.loopback)),
    ("http://localhost:8080", .loopback, .loopback), ("http://[::1]:8080", .loopback, .loopback),
    ("http://192.168.1.4", .local, .local), ("http://[fd00::4]", .local, .local),
    ("http://nas:8080", .local, .local), ("http://nas.local", .local, .local),
    ("http://nas.home.arpa", .local, .local), ("http://market.internal", .local, .local),
    ("http://market.example", .loopback, nil), ("http://market.example", .local, nil),
    ("http://local.example", .local, nil), ("http://localhost.example", .loopback, nil),
    ("http://203.0.113.4", .local, nil), ("http://169.254.1.1", .link, nil),
    ("http://8.8.8.8", .loopback, nil),
  ])
  func `the storage is in a private network only where the market was opened there`(
    _ base: String, _ zone: NetworkZone, _ expected: NetworkZone?
  ) async throws {
    let (connection, transport) = try connection(
      to: base, redirectingTo: "http://10.0.0.9:9000", announcing: "http://10.0.0.9:9000",
      from: zone)

    _ = try await connection.picture(at: try #require(WebAddress(base + Self.path)))

    expect(transport.hops.map(\.addressPolicy), [.none, .around(market: expected)])
  }

  @Test func `a redirect leaves no encryption behind, whatever was announced`() async throws {
    let (connection, transport) = try connection(
      to: "https://market.example", redirectingTo: "http://storage.example",
      announcing: "http://storage.example")

    await #expect(throws: TransportError.redirectUnencrypted) {
      try await connection.picture(
        at: try #require(WebAddress("https://market.example" + Self.path)))
    }
    expect(transport.hops.count, 1)
  }

  @Test func `a storage on the market's own host is not taken for the market`() async throws {
    let (connection, transport) = try connection(
      to: "http://market.example", redirectingTo: "https://market.example:9000",
      announcing: "https://market.example:9000")

    _ = try await connection.picture(
      at: try #require(WebAddress("http://market.example" + Self.path)))
    _ = try await connection.answer(to: HTTPRequest(.get, "/items/1"))

    expect(transport.hops.last?.address.text, "http://market.example/items/1")
  }

  @Test(arguments: [
    ("https://a.example", true), ("https://a.example:9000/", true), ("https://a.example/b", false),
    ("ftp://a.example", false), ("a.example", false), ("https://u@a.example", false), ("", false),
  ])
  func `nothing but an origin is announced`(_ text: String, _ isOne: Bool) {
    var headers = HTTPHeaders()
    for (name, value) in Self.announcing(text) { headers[name] = value }

    expect(headers.pictureStorage != nil, isOne)
    headers[HeaderName.extensions] = nil
    expect(headers.pictureStorage, nil)
  }
}
