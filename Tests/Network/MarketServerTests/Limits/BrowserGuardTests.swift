import Expectations
import Glibc
import MarketAPI
import MarketServer
import Testing

/// What browsers send for the pages of other sites.
struct BrowserGuardTests {
  private static func status(
    _ method: HTTPMethod, _ headers: HTTPHeaders, publicURL: String? = nil,
    hosts: [String]? = nil
  ) async -> Int {
    let browsers = BrowserGuard(
      publicURL: publicURL, hosts: hosts.map(BrowserGuard.HostNames.init),
      before: EchoResponder())
    let request = ServerRequest(
      method, "/known", headers: headers, from: RemoteClient(address: "192.0.2.1"))
    if let known = browsers.immediateResponse(to: request) { return known.message.status.rawValue }
    return await browsers.response(to: request).message.status.rawValue
  }

  /// Page that takes large bodies.
  private struct Page: HTTPResponder {
    func immediateResponse(to request: ServerRequest) -> ServerResponse? { nil }
    func response(to request: ServerRequest) async -> ServerResponse {
      ServerResponse(HTTPResponse(.ok))
    }
    func bodyLimit(for request: ServerRequest) -> Int? { 20 }
    func refusal(ofLargeBody request: ServerRequest) -> ServerResponse? {
      ServerResponse(HTTPResponse(.insufficientStorage))
    }
  }

  @Test func `a page's large bodies are large behind the guard, but for pages of others`() {
    let browsers = BrowserGuard(publicURL: nil, hosts: nil, before: Page())
    func request(_ headers: HTTPHeaders) -> ServerRequest {
      ServerRequest(.post, "/", headers: headers, from: RemoteClient(address: "192.0.2.1"))
    }
    let (own, foreign) = (request([:]), request(["Origin": "http://evil.example"]))

    expect(browsers.bodyLimit(for: own), 20)
    expect(browsers.bodyLimit(for: foreign), nil)
    expect(browsers.refusal(ofLargeBody: own)?.message.status, .insufficientStorage)
    expect(browsers.refusal(ofLargeBody: foreign)?.message.status, .forbidden)
  }

  @Test(arguments: [
    ("http://market.example", 200), ("https://market.example", 200), ("HTTP://Market.Example", 200),
    ("http://market.example:80", 200), ("https://market.example:443", 200),
    ("https://shop.example", 200), ("http://shop.example:8443", 403),
    ("null", 403), ("", 403), ("http://market.example.evil", 403), ("http://evil.example", 403),
    ("http://market.example:8080", 403), ("file://", 403), ("market.example", 403),
    ("http://market.example@evil.example", 403), ("http://evil.example/http://market.example", 403),
  ])
  func `a write of a page of another origin is refused`(_ origin: String, _ status: Int) async {
    for method in [HTTPMethod.post, .patch, .delete, .put] {
      let headers: HTTPHeaders = ["Host": "market.example", "Origin": origin]
      await expect(Self.status(method, headers, publicURL: "https://shop.example/m"), status)
    }
    await expect(Self.status(.get, ["Host": "market.example", "Origin": origin]), 200)
  }

  @Test func `of several origins each has to be the market's, and a cross-site write is refused`()
    async
  {
    var headers: HTTPHeaders = ["Host": "[::1]:8080", "Origin": "http://[::1]:8080"]
    await expect(Self.status(.post, headers), 200)
    headers.add("http://evil.example", for: "Origin")
    await expect(Self.status(.post, headers), 403)
    for (site, status) in [
      ("cross-site", 403), ("Cross-Site", 403), ("same-origin", 200), ("none", 200),
    ] {
      await expect(Self.status(.post, ["Host": "a", "Sec-Fetch-Site": site]), status)
    }
    await expect(Self.status(.get, ["Host": "a", "Sec-Fetch-Site": "cross-site"]), 200)
    await expect(Self.status(.post, [:]), 200)
  }

  @Test(arguments: [
    ("127.0.0.1:8080", 200), ("192.0.2.7", 200), ("[::1]:9", 200), ("localhost", 200),
    ("LocalHost.:1", 200), ("a.localhost:2", 200), ("laptop.local", 200), ("shop.example", 200),
    ("shop.example:99", 200), ("named.example:7", 200), ("NAMED.example.", 200),
    ("evil.example", 421), ("localhost.evil.example", 421), ("127.0.0.1.evil.example", 421),
    ("local", 421), ("2130706433", 421), ("named.example.evil", 421), ("xlocalhost", 421),
  ])
  func `a market at a private address is asked by its names alone`(_ host: String, _ status: Int)
    async
  {
    for method in [HTTPMethod.get, .post] {
      await expect(
        Self.status(
          method, ["Host": host], publicURL: "http://shop.example", hosts: ["named.example"]),
        status)
    }
    await expect(Self.status(.get, ["Host": host]), 200)
  }

  @Test func `a market at a private address is asked by the machine's name, and without a name`()
    async
  {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, 255)
    let machine = String(
      decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)

    await expect(Self.status(.get, ["Host": machine + ":8080"], hosts: []), 200)
    await expect(Self.status(.get, [:], hosts: []), 200)
    await expect(Self.status(.get, ["Host": ""], hosts: []), 200)
  }

  @Test(arguments: [("127.0.0.1", true), ("localhost", true), ("0.0.0.0", false)])
  func `a socket knows whether it is at a private address`(_ host: String, _ isPrivate: Bool) throws
  {
    expect(try ListeningSocket(on: HostAndPort(host: host, port: 0)).isPrivate, isPrivate)
  }
}
