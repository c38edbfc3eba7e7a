import Glibc
import HTTPTestSupport
import MarketServer
import TestSupport

/// A client that sends exactly what a test says, and reads until the server ends the connection.
struct RawClient: Sendable {
  private static let timeoutSeconds = 60

  let port: UInt16

  init(port: UInt16) {
    self.port = port
  }

  init(_ server: HTTPServer) {
    port = server.address.port
  }

  /// Sends text, waits for the end of all answers.
  ///
  /// - Parameters:
  ///   - text: with plain line feeds, which become the line ends of HTTP.
  ///   - body: what follows as it is.
  /// - Returns: everything that the server sent.
  /// - Throws: where nothing listens.
  func exchange(_ text: String, body: [UInt8] = []) async throws -> String {
    let head = text.split(separator: "\n", omittingEmptySubsequences: false)
      .joined(separator: "\r\n")
    let bytes = Array(head.utf8) + body
    let answer: [UInt8]? = await withCheckedContinuation { continuation in
      runOnDetachedThread { continuation.resume(returning: Self.exchange(bytes, port: port)) }
    }
    guard let answer else { throw UnexpectedError(description: "nothing listens at \(port)") }
    return String(decoding: answer, as: UTF8.self)
  }

  private static func exchange(_ bytes: [UInt8], port: UInt16) -> [UInt8]? {
    let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(connection) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    var timeout = timeval(tv_sec: timeoutSeconds, tv_usec: 0)
    setsockopt(
      connection, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        connect(connection, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else { return nil }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      // A server that has refused reads no further.
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    var answer: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while case let count = recv(connection, &piece, piece.count, 0), count > 0 {
      answer += piece[..<count]
    }
    return answer
  }
}
