import Glibc

/// A connection to a server on this machine that is kept open from one request to the next.
final class LocalConnection {
  private let descriptor: Int32
  private let port: UInt16

  /// `host` is the last part of the client's own address, 127.0.0.`host`; servers know clients by it.
  ///
  /// - Throws: `.noAnswer` where no server listens.
  init(port: UInt16, host: UInt32 = 1) throws(BenchError) {
    self.port = port
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in(loopbackPort: port)
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    if host != 1 {
      var own = sockaddr_in(loopbackPort: 0)
      own.sin_addr.s_addr = (INADDR_LOOPBACK - 1 + host).bigEndian
      _ = withUnsafePointer(to: &own) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
      }
    }
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    guard code == 0 else {
      close(descriptor)
      throw .noAnswer("a connection to port \(port)")
    }
  }

  deinit { close(descriptor) }

  /// Gets a path and takes the time until the last byte.
  func time(_ path: String, accepting type: String? = nil) throws(BenchError) -> Double {
    let start = ContinuousClock.now
    _ = try body(of: path, accepting: type)
    return start.duration(to: .now).milliseconds
  }

  /// - Throws: `.noAnswer` where it is not one of status 200 with a length.
  func body(of path: String, accepting type: String? = nil) throws(BenchError) -> [UInt8] {
    let accept = type.map { "Accept: \($0)\r\n" } ?? ""
    let request = Array(
      "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(accept)\r\n".utf8)
    let sent = send(descriptor, request, request.count, Int32(MSG_NOSIGNAL))
    guard sent == request.count else { throw .noAnswer(path) }
    var answer: [UInt8] = []
    while true {
      let piece = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
        count = max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
      }
      guard !piece.isEmpty else { throw .noAnswer(path) }
      answer += piece
      if let body = try Self.body(in: answer, of: path) { return body }
    }
  }

  /// The body once it is whole.
  private static func body(in answer: [UInt8], of path: String) throws(BenchError) -> [UInt8]? {
    let headEnd = Array("\r\n\r\n".utf8)
    guard let end = answer.firstRange(of: headEnd) else { return nil }
    let head = String(decoding: answer[..<end.lowerBound], as: UTF8.self).lowercased()
    let field = "\r\ncontent-length:"
    guard head.hasPrefix("http/1.1 200"), let value = head.firstRange(of: field),
      let length = Int(head[value.upperBound...].drop { $0 == " " }.prefix { $0.isNumber })
    else { throw .noAnswer(path) }
    let body = answer[end.upperBound...]
    return body.count >= length ? Array(body) : nil
  }
}

extension sockaddr_in {
  init(loopbackPort port: UInt16) {
    self.init()
    sin_family = sa_family_t(AF_INET)
    sin_port = port.bigEndian
    sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
  }
}
