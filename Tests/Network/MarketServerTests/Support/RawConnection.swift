import Glibc
import HTTPTestSupport
import TestSupport

/// Connection on which a test sends what and when it likes, and which it ends as it likes.
final class RawConnection: Sendable {
  private static let timeoutSeconds = 60
  /// Time for a text to come, below the time of a test.
  private static let textTimeout = Duration.seconds(20)

  private let descriptor: Int32

  /// - Parameters:
  ///   - port: where a server listens on loopback.
  ///   - source: the last number of the address to come from, 127.0.0.x.
  /// - Throws: where nothing listens.
  init(to port: UInt16, from source: UInt32 = 1) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var timeout = timeval(tv_sec: Self.timeoutSeconds, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, size)
    let network: UInt32 = 0x7F00_0000
    let isBound = Self.with(network | source, 0) { bind(descriptor, $0, $1) } == 0
    let isConnected = Self.with(network | 1, port) { connect(descriptor, $0, $1) } == 0
    guard isBound, isConnected else {
      throw UnexpectedError(description: "nothing listens at \(port)")
    }
  }

  deinit { close(descriptor) }

  /// Sends text as it is.
  ///
  /// - Returns: whether the server still takes it.
  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Ends the direction to the server.
  func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Ends both directions so that the server is told of a broken connection.
  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    // The last copy of the descriptor goes with the object; this ends the connection at once.
    var nothing = sockaddr(
      sa_family: sa_family_t(AF_UNSPEC), sa_data: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    connect(descriptor, &nothing, socklen_t(MemoryLayout<sockaddr>.size))
  }

  /// Whether the server says nothing for so long.
  func isSilent(milliseconds: Int32) -> Bool {
    var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&watched, 1, milliseconds) == 0
  }

  /// Whether the server says something, or ends, before so many seconds have passed.
  func isAnswered(withinSeconds seconds: Int32) async -> Bool {
    await withCheckedContinuation { continuation in
      runOnDetachedThread {
        continuation.resume(returning: !self.isSilent(milliseconds: seconds * 1_000))
      }
    }
  }

  /// Whether the server has ended the connection and nothing is left to be read.
  var isEnded: Bool {
    var next: UInt8 = 0
    return recv(descriptor, &next, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0
  }

  /// Everything that the server sends until it ends the connection.
  func answer() async -> String {
    await withCheckedContinuation { continuation in
      runOnDetachedThread { continuation.resume(returning: self.received()) }
    }
  }

  /// The next bytes that the server sends, as many as that.
  func next(_ count: Int) async -> String {
    await withCheckedContinuation { continuation in
      runOnDetachedThread {
        var bytes = [UInt8](repeating: 0, count: count)
        let received = recv(self.descriptor, &bytes, count, Int32(MSG_WAITALL))
        let text = String(decoding: bytes.prefix(max(0, received)), as: UTF8.self)
        continuation.resume(returning: text)
      }
    }
  }

  /// What the server sends up to a text, and with it; less where nothing comes for too long, or so many
  /// bytes have come.
  func text(upTo end: String, orBytes limit: Int = .max) async -> String {
    let end = Array(end.utf8)
    return await withCheckedContinuation { continuation in
      runOnDetachedThread {
        let bytes = self.received(atMost: limit) { $0.suffix(end.count).elementsEqual(end) }
        continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
      }
    }
  }

  /// Sends a byte whenever the server has said nothing for a while, until it ends the connection.
  func trickle() async {
    await withCheckedContinuation { continuation in
      runOnDetachedThread {
        var watched = pollfd(fd: self.descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&watched, 1, 50) == 0, self.send([0x61]) {}
        _ = self.received()
        continuation.resume()
      }
    }
  }

  /// Single bytes, so that what follows stays for the next who reads.
  private func received(atMost limit: Int, until isEnd: ([UInt8]) -> Bool) -> [UInt8] {
    let end = ContinuousClock.now + Self.textTimeout
    var bytes: [UInt8] = []
    while bytes.count < limit, !isEnd(bytes), waitsForBytes(until: end) {
      var byte: UInt8 = 0
      guard recv(descriptor, &byte, 1, 0) == 1 else { break }
      bytes.append(byte)
    }
    return bytes
  }

  /// Whether there is something to read, or the end, before a moment.
  private func waitsForBytes(until end: ContinuousClock.Instant) -> Bool {
    let left = end - .now
    var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return left > .zero && poll(&watched, 1, Int32(left / .milliseconds(1))) > 0
  }

  private func received() -> String {
    var answer: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while case let count = recv(descriptor, &piece, piece.count, 0), count > 0 {
      answer += piece[..<count]
    }
    return String(decoding: answer, as: UTF8.self)
  }

  private static func with(
    _ host: UInt32, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = host.bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        body(pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
