import Expectations
import Glibc
import MarketAPI
import MarketModel
import TestSupport
import Testing

@testable import MarketServer

struct RequestLogTests {
  @Test func `a request is one line without its key and without line ends of its own`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "log")
    let file = open(path, O_WRONLY | O_CREAT, 0o600)
    let log = RequestLog(descriptor: file)

    log.add(.sample(.get, "/api/products?page_no=1"))
    log.add(.sample(.delete, "/api/products/0a1b2c"))
    log.add(.sample(.delete, "/item/7"))
    log.add(.sample(HTTPMethod(rawValue: "G\nT"), "/\u{1B}[31m"))
    var stranger = FinishedRequest.sample(.get, "/")
    stranger.client = RemoteClient(address: "\u{1B}]0;owned\u{7}\u{9B}31m\n")
    log.add(stranger)
    var failed = FinishedRequest.sample(.get, "/ready")
    failed.reason = "gone: \u{1B}[31m\n  no such \"file\""
    log.add(failed)
    log.flush()
    close(file)

    let lines = String(decoding: try FileContent(of: path).bytes, as: UTF8.self)
      .split(separator: "\n").map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
    expect(
      lines,
      [
        "192.0.2.1 GET /api/products?page_no=1 200 12 345us",
        "192.0.2.1 DELETE /api/products/* 200 12 345us", "192.0.2.1 DELETE /item/7 200 12 345us",
        "192.0.2.1 G?T /?[31m 200 12 345us", "?]0;owned???31m? GET / 200 12 345us",
        "192.0.2.1 GET /ready 200 12 345us: gone: ?[31m? no such \"file\"",
      ])
  }

  @Test func `a log that is full and not read keeps nobody from stopping`() {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    let log = RequestLog(descriptor: ends[1])
    for _ in 0..<3_000 { log.add(.sample(.get, "/api/products?page_no=1")) }

    log.flush()

    // What is still being written has its reader now.
    var room = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while poll(&room, 1, 100) > 0 { read(ends[0], &piece, piece.count) }
  }

  @Test(
    arguments: [
      ("DELETE", "/api/products/7/pw", "/api/products/7/*"),
      ("GET", "/U/ABC", "/U/*"), ("POST", "/u/abc?name=a.jpg", "/U/*"), ("GET", "//U/ABC", "/U/*"),
      ("GET", "/%55/ABC", "/U/*"), ("GET", "/api/uploads/ABC/photos/1", "/api/uploads/*"),
      ("DELETE", "/api/products/7/123456", "/api/products/7/*"),
      ("DELETE", "/api/products/7/pw/", "/api/products/7/*"),
      ("DELETE", "/api/products/7/p%2Fw?x=/y", "/api/products/7/*"),
      ("DELETE", "/api/products/7/p/w", "/api/products/7/*"),
      ("DELETE", "//API//Products//7//pw", "/api/products/7/*"),
      ("DELETE", "/%61pi/products/7/pw#x", "/api/products/7/*"),
      ("GET", "/api/products/7/pw", "/api/products/7/*"),
      ("DELETE", "/api/products/7/archived", "/api/products/7/*"),
      ("POST", "/api/products/7/archived", "/api/products/7/archived"),
      ("DELETE", "/api/products/pw", "/api/products/*"),
      ("DELETE", "/api/products/pw/pw", "/api/products/*/*"),
      ("GET", "/api/products?search_value=a/b", "/api/products?search_value=a/b"),
      ("GET", "/pictures/ab/thumbnail", "/pictures/ab/thumbnail"),
      ("DELETE", "http://h/api/products/7/pw", "/api/products/7/*"),
      ("DELETE", "/api/./products/7/pw", "/api/products/7/*"),
      ("DELETE", "/x/../api/products/7/pw", "/api/products/7/*"),
      ("DELETE", "/api%2Fproducts%2F7%2Fpw", "/api/products/7/*"),
      ("DELETE", "products/7/pw", "/api/products/7/*"),
    ])
  func `the word that deletes is a star`(method: String, target: String, shown: String) {
    let request = FinishedRequest.sample(HTTPMethod(rawValue: method), target)
    var bytes: [UInt8] = []

    request.appendLine(to: &bytes)

    let line = String(decoding: bytes, as: UTF8.self)
    expect(line, "192.0.2.1 \(method) \(shown) 200 12 345us\n")
  }

  @Test func `lines that cannot be written are counted, and the log says so when it can`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "log")
    let descriptor = open("/dev/full", O_WRONLY)
    let log = RequestLog(descriptor: descriptor)
    let metrics = MetricsResponder(
      ServerMetrics(MetricsRegistry(), log, version: "1"), for: .everybody, before: EchoResponder())

    log.add(.sample(.get, "/1"))
    log.add(.sample(.get, "/2"))
    log.flush()
    log.add(.sample(.get, "/3"))
    log.flush()
    let file = open(path, O_WRONLY | O_CREAT, 0o600)
    dup2(file, descriptor)
    close(file)
    log.add(.sample(.get, "/4"))
    log.flush()
    close(descriptor)

    let lines = String(decoding: try FileContent(of: path).bytes, as: UTF8.self)
      .split(separator: "\n")
    expect(lines.count, 2)
    #expect(lines.contains { $0.contains("GET /4 200") })
    #expect(lines.contains("3 lines lost"))
    #expect(try text(of: metrics).contains("market_lost_log_lines_total 3\n"))
  }

  private func text(of responder: MetricsResponder) throws -> String {
    let request = ServerRequest(.get, "/metrics", from: RemoteClient(address: "192.0.2.1"))
    return try #require(responder.immediateResponse(to: request)).message.text
  }
}

extension FinishedRequest {
  fileprivate static func sample(_ method: HTTPMethod, _ target: String) -> FinishedRequest {
    FinishedRequest(
      client: RemoteClient(address: "192.0.2.1"), method: method, target: target, status: .ok,
      byteCount: 12, nanoseconds: 345_678)
  }
}
