import Expectations
import Glibc
import MarketAPI
import MarketModel
import MarketServer
import TestSupport
import Testing

/// A server that is about to end, over real sockets.
struct DrainingTests {
  private static let request = "GET /known HTTP/1.1\r\nHost: market.example\r\n\r\n"

  @Test func `a server that drains says so to whoever is connected, and still takes others`()
    async throws
  {
    let market = try await ServedStore()
    let health = HealthResponder(
      market.store, writing: WriteHealth(of: market.store, registry: MetricsRegistry()),
      before: EchoResponder())
    let server = try HTTPServer(
      on: ListeningSocket(on: HostAndPort(host: "127.0.0.1", port: 0)), answering: health)
    let kept = try PersistentConnection(to: server.address.port)
    let before = try kept.exchange(Self.request)

    health.beginDraining()
    server.beginDraining()
    let after = try kept.exchange(Self.request)
    let ready = try await RawClient(server).exchange("GET /ready HTTP/1.1\nHost: a\n\n")
    let live = try await RawClient(server).exchange("GET /live HTTP/1.1\nHost: a\n\n")

    #expect(before.hasPrefix("HTTP/1.1 200 ") && !before.contains("Connection: close"))
    #expect(after.hasPrefix("HTTP/1.1 200 ") && after.contains("Connection: close"))
    #expect(kept.hasEnded)
    #expect(ready.hasPrefix("HTTP/1.1 503 ") && ready.contains("Connection: close"))
    #expect(ready.hasSuffix("The server is being stopped\n"))
    #expect(live.hasPrefix("HTTP/1.1 200 "))
    await server.stop(after: 10)
  }

  @Test func `who asks a draining program twice to end does not wait`() throws {
    let folder = try TemporaryFolder()
    let program = try ServerProgram(
      store: folder.path(of: "market.sqlite"), arguments: ["--drain-timeout", "60"])
    let kept = try PersistentConnection(to: program.client.port)
    _ = try kept.exchange(Self.request)

    program.signal(SIGTERM)
    program.signal(SIGINT)

    try expect(program.terminate(), 0)
  }
}

/// A connection that is used for one request after another.
private final class PersistentConnection {
  private let descriptor: Int32

  init(to port: UInt16) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    var timeout = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(code == 0)
  }

  deinit { close(descriptor) }

  /// Sends a request, and reads an answer that has a length.
  func exchange(_ request: String) throws -> String {
    let bytes = Array(request.utf8)
    try #require(send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
    var answer: [UInt8] = []
    while true {
      var byte: UInt8 = 0
      guard recv(descriptor, &byte, 1, 0) == 1 else { break }
      answer.append(byte)
      let text = String(decoding: answer, as: UTF8.self)
      guard let end = text.firstRange(of: "\r\n\r\n") else { continue }
      let length = text.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
      if text[end.upperBound...].utf8.count == length.flatMap({ Int($0.dropFirst(16)) }) { break }
    }
    return String(decoding: answer, as: UTF8.self)
  }

  /// Whether the server has ended the connection.
  var hasEnded: Bool {
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, 0) == 0
  }
}
