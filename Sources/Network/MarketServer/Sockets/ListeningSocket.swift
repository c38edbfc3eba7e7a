import Glibc
import MarketModel
import Posix

/// Listening sockets of one address, closed by `deinit` unless released.
///
/// A name may have several addresses: `localhost` is 127.0.0.1 and ::1, and clients try either.
package struct ListeningSocket: ~Copyable, Sendable {
  private(set) var descriptors: [Int32]
  /// Requested address, with the assigned port.
  package let address: HostAndPort

  /// Whether all sockets listen at addresses of this computer or of a private network.
  package var isPrivate: Bool {
    descriptors.allSatisfy { Self.localAddress(of: $0, \.zone)?.isPrivate == true }
  }

  /// Reason why the server cannot listen, in the system's words.
  package struct Failure: Error, Hashable, Sendable {
    package let reason: String
    /// Whether the port is in use.
    package var isTaken = false
  }

  /// Number of free ports to try until one is free at all addresses of a name.
  private static let portAttempts = 16

  /// Binds to a host of this machine and listens; port 0 takes any free port.
  /// - Throws: `Failure` with the resolver's or system's reason; `isTaken` is true if the port is in
  ///   use.
  package init(on wanted: HostAndPort) throws(Failure) {
    var attemptsLeft = wanted.port == 0 ? Self.portAttempts : 1
    while true {
      attemptsLeft -= 1
      do throws(BindingFailure) {
        let (descriptors, port) = try Self.listen(on: wanted)
        self.descriptors = descriptors
        address = HostAndPort(host: wanted.host, port: port)
        return
      } catch {
        guard error.isPortTaken, attemptsLeft > 0 else {
          throw Failure(reason: error.reason, isTaken: error.isPortTaken)
        }
      }
    }
  }

  deinit {
    for descriptor in descriptors { close(descriptor) }
  }

  /// Returns the descriptors, which the caller must close.
  mutating func release() -> [Int32] {
    defer { descriptors = [] }
    return descriptors
  }

  private static func listen(
    on wanted: HostAndPort
  ) throws(BindingFailure) -> (descriptors: [Int32], port: UInt16) {
    var hints = addrinfo()
    hints.ai_flags = AI_PASSIVE
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(wanted.host, nil, &hints, &found)
    guard code == 0, let found else {
      throw BindingFailure(reason: String(cString: gai_strerror(code)))
    }
    defer { freeaddrinfo(found) }
    var descriptors: [Int32] = []
    var port = wanted.port
    var lastFailure: BindingFailure?
    var next: UnsafeMutablePointer<addrinfo>? = found
    while let candidate = next {
      next = candidate.pointee.ai_next
      do throws(BindingFailure) {
        let isOnlyOne = found.pointee.ai_next == nil
        let socket = try bound(to: candidate.pointee, port: port, isOnlyOne: isOnlyOne)
        descriptors.append(socket)
        port = Self.port(of: socket) ?? port
      } catch {
        lastFailure = error
        // An address family that this machine lacks must not prevent serving.
        if !error.isFamilyMissing { break }
      }
    }
    if let lastFailure, descriptors.isEmpty || !lastFailure.isFamilyMissing {
      for descriptor in descriptors { close(descriptor) }
      throw lastFailure
    }
    return (descriptors, port)
  }

  private static func bound(
    to address: addrinfo, port: UInt16, isOnlyOne: Bool
  ) throws(BindingFailure) -> Int32 {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(address.ai_family, type, 0)
    guard descriptor >= 0 else { throw BindingFailure(.last) }
    var yes: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size)
    if address.ai_family == AF_INET6, !isOnlyOne {
      setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes, size)
    }
    // Both families have the port at the same offset, in network order.
    UnsafeMutableRawPointer(address.ai_addr)?.storeBytes(
      of: port.bigEndian, toByteOffset: 2, as: UInt16.self)
    guard bind(descriptor, address.ai_addr, address.ai_addrlen) == 0,
      Glibc.listen(descriptor, 1_024) == 0
    else {
      let failure = BindingFailure(.last)
      close(descriptor)
      throw failure
    }
    return descriptor
  }

  private static func port(of descriptor: Int32) -> UInt16? { localAddress(of: descriptor, \.port) }

  /// A part of the address that a socket is bound to; nil where the system does not say.
  private static func localAddress<Part>(
    of descriptor: Int32, _ part: (LocalAddress) -> Part
  ) -> Part? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutableBytes(of: &storage) { bytes in
      guard let start = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
        getsockname(descriptor, start, &length) == 0
      else { return nil }
      return part(
        LocalAddress(
          port: UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self)),
          zone: NetworkZone(socketAddress: start, family: Int32(start.pointee.sa_family))))
    }
  }

  private struct LocalAddress {
    let port: UInt16
    let zone: NetworkZone
  }
}

/// Reason why one address cannot be bound.
private struct BindingFailure: Error {
  let reason: String
  /// Error of the system call; nil if the name has no address.
  private let error: SystemError?

  init(reason: String) {
    self.reason = reason
    error = nil
  }

  init(_ error: SystemError) {
    reason = error.description
    self.error = error
  }

  var isPortTaken: Bool { error?.number == EADDRINUSE }
  var isFamilyMissing: Bool { error?.number == EAFNOSUPPORT || error?.number == EADDRNOTAVAIL }
}

/// Address of a server: host name or number, and port.
package struct HostAndPort: Hashable, Sendable, CustomStringConvertible {
  /// Host without the brackets that IPv6 addresses have in text.
  package var host: String
  package var port: UInt16

  package init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// Parses `127.0.0.1:8080`, `[::1]:8080` or `localhost:0`; nil for anything else.
  package init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"),
      let port = UInt16(text[text.index(after: colon)...])
    else { return nil }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      return nil
    }
    guard !host.isEmpty else { return nil }
    self.init(host: String(host), port: port)
  }

  package var description: String {
    host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}
