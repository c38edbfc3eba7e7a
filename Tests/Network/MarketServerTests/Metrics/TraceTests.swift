import Expectations
import Glibc
import MarketAPI
import Synchronization
import TestSupport
import Testing

@testable import MarketServer

/// The example of the standard.
private let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
private let exampleField = "00-\(trace)-00f067aa0ba902b7-01"

struct TraceTests {
  @Test(arguments: [
    exampleField, "00-\(trace)-00f067aa0ba902b7-ff", "01-\(trace)-00f067aa0ba902b7-01",
    "cc-\(trace)-00f067aa0ba902b7-01-what-the-future-has",
  ])
  func `the id of a trace is taken over`(field: String) {
    expect(TraceID(traceparent: field)?.text, trace)
  }

  @Test(arguments: [
    "", "00", "ff-\(trace)-00f067aa0ba902b7-01", "00-\(trace)-00f067aa0ba902b7-01-more",
    "01-\(trace)-00f067aa0ba902b7-01.more", "00-\(trace)-00f067aa0ba902b7-0",
    "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
    "00-\(trace)-0000000000000000-01", "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
    "00_\(trace)-00f067aa0ba902b7-01", "0g-\(trace)-00f067aa0ba902b7-01",
  ])
  func `what is malformed counts for nothing`(field: String) {
    expect(TraceID(traceparent: field), nil)
  }

  @Test func `two fields count for nothing`() {
    var headers: HTTPHeaders = ["TraceParent": exampleField]
    expect(TraceID(of: headers)?.text, trace)

    headers.add(exampleField, for: "traceparent")

    expect(TraceID(of: headers), nil)
  }

  @Test func `a failure is answered with its id, which the log has too`() async throws {
    let server = try LoggedServer()

    let failed = try await server.ask("GET /none HTTP/1.1\ntraceparent: \(exampleField)\n")
    let made = try await server.ask("GET /none HTTP/1.1\ntraceparent: 00-1-2-3\n")
    let fine = try await server.ask("GET /known HTTP/1.1\ntraceparent: \(exampleField)\n")
    await server.server.stop(after: 10)

    #expect(failed.contains("\r\nMarket-Trace: \(trace)\r\n"))
    #expect(!fine.contains("Market-Trace"))
    let ids = server.finished.map { $0.trace?.text ?? "" }
    #expect(ids[0] == trace && ids[2] == trace)
    #expect(ids[1].count == 32 && ids[1] != trace)
    #expect(made.contains("\r\nMarket-Trace: \(ids[1])\r\n"))
  }

  @Test func `a line of the log may be an object`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "log")
    let file = open(path, O_WRONLY | O_CREAT, 0o600)
    let log = RequestLog(descriptor: file, as: .json)
    var request = FinishedRequest(
      client: RemoteClient(address: "192.0.2.1"), method: .delete,
      target: "/api/products/7/\"pw\"", status: .serviceUnavailable, byteCount: 12,
      nanoseconds: 345_678, reason: "gone:\n no \"such\"  \\file",
      trace: TraceID(traceparent: exampleField))

    log.add(request)
    (request.status, request.reason, request.trace) = (nil, nil, nil)
    request.target = "/\"\\\u{7F}é"
    log.add(request)
    log.flush()
    close(file)

    let lines = String(decoding: try FileContent(of: path).bytes, as: UTF8.self)
      .split(separator: "\n")
    try #require(lines.count == 2)
    let first = try JSONDocument(parsing: Array(lines[0].utf8)).root
    expect(first["time"]?.string?.hasSuffix("Z"), true)
    expect(first["target"]?.string, "/api/products/7/*")
    expect(first["status"]?.number?.integer, 503)
    expect(first["microseconds"]?.number?.integer, 345)
    expect(first["trace"]?.string, trace)
    expect(first["reason"]?.string, "gone:? no \"such\" \\file")
    let second = try JSONDocument(parsing: Array(lines[1].utf8)).root
    expect(second["target"]?.string, "/\"\\???")
    #expect(lines[1].contains("\"status\":null") && second["reason"] == nil)
  }
}

/// A server that keeps what it tells of requests.
private struct LoggedServer {
  /// Answers `/known`, and has nothing else.
  private struct Responder: HTTPResponder {
    func immediateResponse(to request: ServerRequest) -> ServerResponse? {
      ServerResponse(HTTPResponse(request.target == "/known" ? .ok : .notFound))
    }

    func response(to request: ServerRequest) async -> ServerResponse {
      ServerResponse(HTTPResponse(.notFound))
    }
  }

  private final class Record: Sendable {
    let finished = Mutex<[FinishedRequest]>([])
  }

  let server: HTTPServer
  private let record = Record()

  init() throws {
    let record = record
    server = try HTTPServer(
      on: ListeningSocket(on: HostAndPort(host: "127.0.0.1", port: 0)), answering: Responder()
    ) { event in
      if case .finished(let request) = event { record.finished.withLock { $0.append(request) } }
    }
  }

  /// In the order in which they were asked, once the server has stopped.
  var finished: [FinishedRequest] { record.finished.withLock { $0 } }

  func ask(_ head: String) async throws -> String {
    try await RawClient(server).exchange(head + "Host: market.example\nConnection: close\n\n")
  }
}
