import Expectations
import MarketAPI
import MarketServer
import Testing

/// Requests whose end two readers could find at different places, sent over a real socket.
struct RequestFramingTests {
  /// What must never be read as a request of its own.
  private static let smuggled = "DELETE /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"
  private static let last = "GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
  private static let post = "POST /it HTTP/1.1\r\nHost: a\r\n"

  /// A name, and what stands between the first line and the smuggled request.
  static let malformed: [Bytes] = [
    Bytes("blank before the colon", post + "Content-Length : 40\r\n\r\n"),
    Bytes("tab before the colon", post + "Content-Length\t: 40\r\n\r\n"),
    Bytes("folded length", post + "Content-Length:\r\n 40\r\n\r\n"),
    Bytes("folded length, tab", post + "Content-Length:\r\n\t40\r\n\r\n"),
    Bytes("folded field", post + "X-A: b\r\n c\r\nContent-Length: 40\r\n\r\n"),
    Bytes("folded first line", "POST /it HTTP/1.1\r\n Host: a\r\nContent-Length: 40\r\n\r\n"),
    Bytes("blank before a name", post + "X-A: b\r\n Content-Length: 40\r\n\r\n"),
    Bytes(
      "encoding, blank before the colon", post + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n"),
    Bytes(
      "encoding beside a length",
      post + "Transfer-Encoding: chunked\r\nContent-Length: 40\r\n\r\n0\r\n\r\n"),
    Bytes(
      "length beside an encoding",
      post + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    Bytes(
      "encoding with a hidden one beside",
      post + "Transfer-Encoding : chunked\r\nContent-Length: 40\r\n\r\n"),
    Bytes(
      "encoding in HTTP/1.0",
      "POST /it HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    Bytes("encoding, then NUL", post + "Transfer-Encoding: chunked\0x\r\n\r\n0\r\n\r\n"),
    Bytes("encoding, then NUL alone", post + "Transfer-Encoding: chunked\0\r\n\r\n0\r\n\r\n"),
    Bytes("encoding, then vertical tab", post + "Transfer-Encoding: \u{B}chunked\r\n\r\n0\r\n\r\n"),
    Bytes(
      "two encodings",
      post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n"),
    Bytes("list of encodings", post + "Transfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n"),
    Bytes("encoding twice in one", post + "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n"),
    Bytes("unknown encoding", post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"),
    Bytes("quoted encoding", post + "Transfer-Encoding: \"chunked\"\r\n\r\n0\r\n\r\n"),
    Bytes(
      "encoding with the sign of the Kelvin",
      post + "Transfer-Encoding: chun\u{212A}ed\r\n\r\n0\r\n\r\n"),
    Bytes("empty encoding", post + "Transfer-Encoding:\r\n\r\n"),
    Bytes("same length twice", post + "Content-Length: 0\r\nContent-Length: 0\r\n\r\n"),
    Bytes("two lengths", post + "Content-Length: 0\r\nContent-Length: 40\r\n\r\n"),
    Bytes("list of lengths", post + "Content-Length: 0, 40\r\n\r\n"),
    Bytes("signed length", post + "Content-Length: +0\r\n\r\n"),
    Bytes("negative length", post + "Content-Length: -1\r\n\r\n"),
    Bytes("hexadecimal length", post + "Content-Length: 0x0\r\n\r\n"),
    Bytes("length with a letter", post + "Content-Length: 0a\r\n\r\n"),
    Bytes("length with a blank", post + "Content-Length: 0 0\r\n\r\n"),
    Bytes("empty length", post + "Content-Length:\r\n\r\n"),
    Bytes("length in other digits", post + "Content-Length: \u{FF10}\r\n\r\n"),
    Bytes("length with NUL", post + "Content-Length: 0\0\r\n\r\n"),
    Bytes("NUL in a name", post + "Content-\0Length: 0\r\n\r\n"),
    Bytes("NUL before the colon", post + "X-A\0: Content-Length: 0\r\n\r\n"),
    Bytes("line without a colon", post + "Content-Length 40\r\n\r\n"),
    Bytes("line without a name", post + ": 40\r\n\r\n"),
    Bytes("bare CR in a value", post + "X-A: b\rContent-Length: 40\r\n\r\n"),
    Bytes("bare CR at the end of a line", post + "Content-Length: 0\r\r\n\r\n"),
    Bytes("bare LF at the end of a line", post + "X-A: b\nContent-Length: 40\r\n\r\n"),
    Bytes("bare LF ends the head", post + "X-A: b\r\n\n"),
    Bytes("all lines with LF alone", "POST /it HTTP/1.1\nHost: a\n\n"),
    Bytes("other letters in a name", post + "Content\u{AD}-Length: 40\r\n\r\n"),
    Bytes("bracket in a name", post + "X(A: b\r\n\r\n"),
    Bytes("control in a value", post + "X-A: \u{1}b\r\n\r\n"),
    Bytes("no host", "POST /it HTTP/1.1\r\n\r\n"),
    Bytes("two hosts", post + "Host: b\r\n\r\n"),
    Bytes("no version", "POST /it\r\nHost: a\r\n\r\n"),
    Bytes("small letters in the version", "POST /it http/1.1\r\nHost: a\r\n\r\n"),
    Bytes("version of many digits", "POST /it HTTP/1.10\r\nHost: a\r\n\r\n"),
    Bytes("two blanks before the version", "POST /it  HTTP/1.1\r\nHost: a\r\n\r\n"),
    Bytes("blank after the version", "POST /it HTTP/1.1 \r\nHost: a\r\n\r\n"),
    Bytes("blank in the target", "POST /it HTTP/1.1\u{20}HTTP/1.1\r\nHost: a\r\n\r\n"),
    Bytes("tab after the method", "POST\t/it HTTP/1.1\r\nHost: a\r\n\r\n"),
    Bytes("blank before the method", " POST /it HTTP/1.1\r\nHost: a\r\n\r\n"),
    Bytes("no method", "/it HTTP/1.1\r\nHost: a\r\n\r\n"),
    Bytes("control in the target", "POST /\u{1}it HTTP/1.1\r\nHost: a\r\n\r\n"),
    Bytes("target without a slash", "GET products/1 HTTP/1.1\r\nHost: a\r\n\r\n"),
    Bytes("target that is a query", "GET ?a HTTP/1.1\r\nHost: a\r\n\r\n"),
    Bytes("target that is a fragment", "GET #f HTTP/1.1\r\nHost: a\r\n\r\n"),
    Bytes("fragment behind a path", "GET /it#f HTTP/1.1\r\nHost: a\r\n\r\n"),
    Bytes("fragment in an address", "GET http://a/it?b#/f HTTP/1.1\r\nHost: a\r\n\r\n"),
    Bytes("address and port alone", "GET a:80 HTTP/1.1\r\nHost: a\r\n\r\n"),
    Bytes("tunnel", "CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n"),
    Bytes("star for another method", "GET * HTTP/1.1\r\nHost: a\r\n\r\n"),
    Bytes("path behind a star", "OPTIONS */it HTTP/1.1\r\nHost: a\r\n\r\n"),
    Bytes("other scheme", "GET foo://x/it HTTP/1.1\r\nHost: a\r\n\r\n"),
    Bytes("a host whose bracket stays open", "GET /it HTTP/1.1\r\nHost: [::1\r\n\r\n"),
    Bytes("a port of letters", "GET /it HTTP/1.1\r\nHost: x:y\r\n\r\n"),
    Bytes("a port beyond all", "GET /it HTTP/1.1\r\nHost: x:99999\r\n\r\n"),
    Bytes(
      "an authority whose bracket stays open", "GET http://[::1/it HTTP/1.1\r\nHost: a\r\n\r\n"),
    Bytes("scheme behind a name", "GET it?http://a/it HTTP/1.1\r\nHost: a\r\n\r\n"),
    Bytes("scheme without slashes", "GET http:a/it HTTP/1.1\r\nHost: a\r\n\r\n"),
    Bytes("scheme with one slash", "GET http:/a/it HTTP/1.1\r\nHost: a\r\n\r\n"),
    Bytes("address without a host", "GET http:///it HTTP/1.1\r\nHost: a\r\n\r\n"),
    Bytes("address of a port alone", "GET http://:80/it HTTP/1.1\r\nHost: a\r\n\r\n"),
    Bytes("address of a query alone", "GET http://?it HTTP/1.1\r\nHost: a\r\n\r\n"),
    Bytes("user name in an address", "GET http://u@a/it HTTP/1.1\r\nHost: a\r\n\r\n"),
    Bytes("password in an address", "GET http://u:p@a/it HTTP/1.1\r\nHost: a\r\n\r\n"),
    Bytes("backslash in an address", "GET http://a\\b/it HTTP/1.1\r\nHost: a\r\n\r\n"),
    Bytes("escape in a host", "GET http://a%2Fb/it HTTP/1.1\r\nHost: a\r\n\r\n"),
    Bytes("two ports", "GET http://a:80:81/it HTTP/1.1\r\nHost: a\r\n\r\n"),
    Bytes("port in letters", "GET http://a:b/it HTTP/1.1\r\nHost: a\r\n\r\n"),
    Bytes("address without any host field", "GET http://a/it HTTP/1.1\r\n\r\n"),
    Bytes("address beside two hosts", "GET http://a/it HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"),
    Bytes("chunk size without digits", chunked("\r\nabc\r\n0\r\n\r\n")),
    Bytes("chunk size with a sign", chunked("+3\r\nabc\r\n0\r\n\r\n")),
    Bytes("chunk size with a prefix", chunked("0x3\r\nabc\r\n0\r\n\r\n")),
    Bytes("chunk size with a blank", chunked("3 \r\nabc\r\n0\r\n\r\n")),
    Bytes("chunk size of too many digits", chunked("100000003\r\nabc\r\n0\r\n\r\n")),
    Bytes("chunk size of 2^64 and 3", chunked("10000000000000003\r\nabc\r\n0\r\n\r\n")),
    Bytes("bare LF after a chunk size", chunked("3\nabc\r\n0\r\n\r\n")),
    Bytes("bare CR after a chunk size", chunked("3\rabc\r\n0\r\n\r\n")),
    Bytes("bare LF in a chunk extension", chunked("3;a\nabc\r\n0\r\n\r\n")),
    Bytes("NUL in a chunk extension", chunked("3;\0\r\nabc\r\n0\r\n\r\n")),
    Bytes("chunk longer than its size", chunked("3\r\nabcd\r\n0\r\n\r\n")),
    Bytes("bare LF after a chunk", chunked("3\r\nabc\n0\r\n\r\n")),
    Bytes("no end of a chunk", chunked("3\r\nabc0\r\n\r\n")),
    Bytes("bare LF after the last chunk", chunked("0\n\n")),
    Bytes("trailer with a blank before the colon", chunked("0\r\nX-A : b\r\n\r\n")),
    Bytes("folded trailer", chunked("0\r\nX-A: b\r\n c\r\n\r\n")),
    Bytes("trailer without a colon", chunked("0\r\nX-A\r\n\r\n")),
    Bytes("bare LF in a trailer", chunked("0\r\nX-A: b\n\r\n")),
  ]

  @Test(arguments: malformed)
  func `what two readers could read differently is refused, and nothing after it is read`(
    _ request: Bytes
  ) async throws {
    let (responder, server) = try Self.server()
    let client = try RawConnection(to: server.address.port)

    client.send(request.text + Self.smuggled)
    let answer = await client.answer()

    #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    #expect(Self.isOneCleanAnswer(answer))
    expect(responder.asked, [])
    await server.stop(after: 10)
  }

  @Test(arguments: malformed)
  func `a good request before it is answered, and nothing else`(_ request: Bytes) async throws {
    let (responder, server) = try Self.server()
    let client = try RawConnection(to: server.address.port)

    client.send("GET /good HTTP/1.1\r\nHost: a\r\n\r\n" + request.text + Self.smuggled)
    let answer = await client.answer()

    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(answer.contains("GET /good 0HTTP/1.1 400 Bad Request\r\n"))
    expect(responder.asked, ["GET /good"])
    await server.stop(after: 10)
  }

  @Test(arguments: [
    Bytes("plain", "GET /it HTTP/1.1\r\nHost: a\r\n\r\n"),
    Bytes("empty lines before", "\r\n\r\nGET /it HTTP/1.1\r\nHost: a\r\n\r\n"),
    Bytes("no blank after the colon", "GET /it HTTP/1.1\r\nHost:a\r\nX-A:b\r\n\r\n"),
    Bytes("much blank around a value", "GET /it HTTP/1.1\r\nHost: \t a \t \r\n\r\n"),
    Bytes("empty value", "GET /it HTTP/1.1\r\nHost: a\r\nX-A:\r\n\r\n"),
    Bytes("empty host", "GET /it HTTP/1.1\r\nHost:\r\n\r\n"),
    Bytes("beyond ASCII", "GET /it HTTP/1.1\r\nHost: a\r\nX-A: 한글\r\n\r\n"),
    Bytes("small letters", "GET /it HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n"),
    Bytes("length", "GET /it HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"),
    Bytes("leading zeros", "GET /it HTTP/1.1\r\nHost: a\r\nContent-Length: 0003\r\n\r\nabc"),
    Bytes(
      "chunks",
      "GET /it HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n"
    ),
    Bytes(
      "extension",
      "GET /it HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3;a=\"b\"\r\nabc\r\n0;c\r\n\r\n"
    ),
    Bytes(
      "trailer",
      "GET /it HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-A: b\r\n\r\n"
    ),
    Bytes(
      "chunk size with zeros",
      "GET /it HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n00003\r\nabc\r\n000\r\n\r\n"
    ),
    Bytes("old version, kept alive", "GET /it HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n"),
    Bytes("full address", "GET http://a/it HTTP/1.1\r\nHost: a\r\n\r\n"),
    Bytes("full address in capitals", "GET HTTP://A:80/it HTTP/1.1\r\nHost: a\r\n\r\n"),
    Bytes("full address of https", "GET https://[::1]:8443/it HTTP/1.1\r\nHost: a\r\n\r\n"),
    Bytes(
      "full address without a host field",
      "GET http://a/it HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"),
  ])
  func `a good request passes, and so does the next one`(_ request: Bytes) async throws {
    let (responder, server) = try Self.server()
    let client = try RawConnection(to: server.address.port)

    client.send(request.text + Self.last)
    _ = await client.answer()

    expect(responder.asked, ["GET /it", "GET /last"])
    await server.stop(after: 10)
  }

  /// What a request line names, and the path and the host that are meant by it.
  @Test(arguments: [
    ("/it", "/it", "named"), ("//it/x", "//it/x", "named"),
    ("/http://b/it", "/http://b/it", "named"),
    ("/?a=http://b/it", "/?a=http://b/it", "named"), ("/%zz%", "/%zz%", "named"),
    ("http://b/it?c=/d", "/it?c=/d", "b"), ("http://b:80", "/", "b:80"), ("http://b?c", "/?c", "b"),
    ("HTTPS://B.example//it", "//it", "B.example"),
    ("http://[::1]:80/http://c/", "/http://c/", "[::1]:80"),
  ])
  func `a full address stands before the host field`(
    _ target: String, _ path: String, _ host: String
  ) throws {
    let bytes = Array("GET \(target) HTTP/1.1\r\nHost: named\r\nA: b\r\n\r\n".utf8)

    let head = try bytes.withUnsafeBytes { try RequestHead(parsing: $0) }

    expect(head.target, path)
    expect(head.headers.values(of: "Host"), [host])
    expect(head.headers["A"], "b")
  }

  @Test func `a request that comes byte by byte is read as one that comes at once`() async throws {
    let (responder, server) = try Self.server()
    let client = try RawConnection(to: server.address.port)

    let text =
      "\r\nPOST /it HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
      + "3;x\r\nabc\r\n0\r\nX-A: b\r\n\r\n" + Self.last
    for byte in text.utf8 { client.send([byte]) }
    let answer = await client.answer()

    #expect(answer.contains("POST /it 3"))
    expect(responder.asked, ["POST /it", "GET /last"])
    await server.stop(after: 10)
  }

  @Test(arguments: [
    Bytes(
      "a query of many names",
      "GET /it?\(String(repeating: "a&", count: 500)) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    ),
    Bytes(
      "a cookie of many pairs",
      "GET /it HTTP/1.1\r\nHost: a\r\nCookie: \(String(repeating: "k=v; ", count: 1_000))\r\nConnection: close\r\n\r\n"
    ),
    Bytes(
      "many fields",
      "GET /it HTTP/1.1\r\nHost: a\r\n\(String(repeating: "a:\r\n", count: 4_000))Connection: close\r\n\r\n"
    ),
  ])
  func `as many parts as fit into a head are answered`(_ request: Bytes) async throws {
    let (responder, server) = try Self.server()
    let client = try RawConnection(to: server.address.port)

    client.send(request.text)
    let answer = await client.answer()

    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
    expect(responder.asked.count, 1)
    await server.stop(after: 10)
  }

  @Test(arguments: [
    (Bytes("endless line", "GET /" + String(repeating: "a", count: 500_000)), 431),
    (Bytes("endless field", post + "X-A: " + String(repeating: "a", count: 500_000)), 431),
    (Bytes("endless fields", post + String(repeating: "X-A: b\r\n", count: 60_000)), 431),
    (Bytes("endless chunk extension", chunked("3;" + String(repeating: "a", count: 500_000))), 400),
    (Bytes("endless trailer", chunked("0\r\nX-A: " + String(repeating: "a", count: 500_000))), 431),
    (
      Bytes("length beyond all numbers", post + "Content-Length: 99999999999999999999\r\n\r\n"), 413
    ),
    (Bytes("chunk beyond the limit", chunked("ffffffff\r\n")), 413),
    (Bytes("another version", "GET /it HTTP/2.0\r\nHost: a\r\n\r\n"), 505),
  ])
  func `what is too much is refused once and cleanly`(
    _ request: Bytes, _ status: Int
  ) async throws {
    let (responder, server) = try Self.server()
    let client = try RawConnection(to: server.address.port)

    client.send(request.text)
    client.endSending()
    let answer = await client.answer()

    #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
    #expect(Self.isOneCleanAnswer(answer))
    expect(responder.asked, [])
    await server.stop(after: 10)
  }

  private static func chunked(_ body: String) -> String {
    post + "Transfer-Encoding: chunked\r\n\r\n" + body
  }

  /// Whether there is one head, and JSON of the announced length after it.
  private static func isOneCleanAnswer(_ answer: String) -> Bool {
    guard let end = answer.firstRange(of: "\r\n\r\n") else { return false }
    let head = answer[..<end.lowerBound]
    let body = answer[end.upperBound...]
    return answer.split(separator: "HTTP/1.1 ", omittingEmptySubsequences: false).count == 2
      && head.contains("\r\nContent-Length: \(body.utf8.count)\r\n")
      && head.contains("\r\nConnection: close")
      && body.hasPrefix("{\"error\":true,") && body.hasSuffix("}")
  }

  private static func server() throws -> (RecordingResponder, HTTPServer) {
    let responder = RecordingResponder()
    let socket = try ListeningSocket(on: HostAndPort(host: "127.0.0.1", port: 0))
    return (responder, try HTTPServer(on: socket, answering: responder))
  }
}

/// What a client sends, with a name for the report.
struct Bytes: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let text: String

  init(_ name: String, _ text: String) {
    testDescription = name
    self.text = text
  }
}
