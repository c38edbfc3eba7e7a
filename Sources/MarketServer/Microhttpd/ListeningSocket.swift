import Glibc

/// A socket that accepts connections, closed where nobody takes it over.
package struct ListeningSocket: ~Copyable, Sendable {
  private(set) var descriptor: Int32
  /// The address that was asked for, with the port that was given.
  package let address: HostAndPort

  /// Why nothing can be listened to, in the system's words.
  package struct Failure: Error, Hashable, Sendable {
    package let reason: String
  }

  /// Binds and listens.
  ///
  /// - Parameter wanted: a name or number of this machine; port 0 takes any that is free.
  /// - Throws: the reason.
  package init(on wanted: HostAndPort) throws(Failure) {
    var hints = addrinfo()
    hints.ai_flags = AI_PASSIVE
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(wanted.host, String(wanted.port), &hints, &found)
    guard code == 0, let found else { throw Failure(reason: String(cString: gai_strerror(code))) }
    defer { freeaddrinfo(found) }
    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(found.pointee.ai_family, type, 0)
    guard descriptor >= 0 else { throw Failure(reason: String(cString: strerror(errno))) }
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    guard bind(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0,
      listen(descriptor, 1_024) == 0
    else {
      let reason = String(cString: strerror(errno))
      close(descriptor)
      throw Failure(reason: reason)
    }
    self.descriptor = descriptor
    address = HostAndPort(host: wanted.host, port: Self.port(of: descriptor) ?? wanted.port)
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Leaves the closing to whoever asks.
  mutating func release() -> Int32 {
    defer { descriptor = -1 }
    return descriptor
  }

  private static func port(of descriptor: Int32) -> UInt16? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutableBytes(of: &storage) { bytes in
      guard let start = bytes.baseAddress,
        getsockname(descriptor, start.assumingMemoryBound(to: sockaddr.self), &length) == 0
      else { return nil }
      // Both families have the port at the same place, in network order.
      return UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self))
    }
  }
}
