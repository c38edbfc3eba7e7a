import Glibc

/// A request as it goes on to the server behind a proxy, on a connection of its own.
package struct UpstreamRequest {
  private let bytes: [UInt8]
  private let hidesAdditions: Bool

  /// The headers by which our own client asks for more than the API has.
  private static let additions: Set<String> = ["idempotency-key", "if-match"]
  /// The header by which our own server says that it can do more.
  private static let announcement = Array("Market-Extensions: 1\r\n".utf8)

  package init(_ request: ReceivedRequest, hidesAdditions: Bool = false) {
    self.hidesAdditions = hidesAdditions
    var head = "\(request.method) \(request.target) HTTP/1.1\r\nConnection: close\r\n"
    for (name, value) in request.headers where name != "connection" {
      if hidesAdditions, Self.additions.contains(name) { continue }
      head += "\(name): \(value)\r\n"
    }
    bytes = Array((head + "\r\n").utf8) + request.body
  }

  /// The whole answer as it came; empty where the server is not there.
  package func answer(from port: UInt16) -> [UInt8] {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected, sendAll(to: descriptor) else { return [] }
    var answer = receiveAll(from: descriptor)
    if hidesAdditions, let range = answer.firstRange(of: Self.announcement) {
      answer.removeSubrange(range)
    }
    return answer
  }

  private func sendAll(to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private func receiveAll(from descriptor: Int32) -> [UInt8] {
    var answer: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = recv(descriptor, &chunk, chunk.count, 0), count > 0 {
      answer += chunk[..<count]
    }
    return answer
  }
}
