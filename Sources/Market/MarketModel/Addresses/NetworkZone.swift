import Glibc

/// Part of the network that an address belongs to.
package enum NetworkZone: Hashable, Sendable {
  case open
  case loopback
  /// Private networks, shared carrier networks and unique local addresses.
  case local
  /// Link-local addresses, where cloud machines also serve their metadata.
  case link
  /// Multicast, broadcast, documentation and all other addresses without servers.
  case reserved

  /// Creates the zone of 4 bytes of an IPv4 or 16 of an IPv6 address, in network order; `.reserved` for
  /// other lengths.
  package init(_ bytes: [UInt8]) {
    switch bytes.count {
    case 4: self = Self.zone(ipv4: bytes)
    case 16: self = Self.zone(ipv6: bytes)
    default: self = .reserved
    }
  }
}

extension NetworkZone {
  /// Zone by the registry of special-purpose IPv4 addresses (RFC 6890).
  private static func zone(ipv4 bytes: [UInt8]) -> NetworkZone {
    switch (bytes[0], bytes[1], bytes[2]) {
    case (127, _, _): .loopback
    case (10, _, _), (172, 16...31, _), (192, 168, _), (100, 64...127, _): .local
    case (169, 254, _): .link
    case (0, _, _), (224...255, _, _), (192, 0, 0), (192, 0, 2), (198, 18...19, _), (198, 51, 100),
      (203, 0, 113):
      .reserved
    default: .open
    }
  }

  /// Zone by the registry of special-purpose IPv6 addresses (RFC 6890); that of the embedded IPv4
  /// address, if there is one.
  private static func zone(ipv6 bytes: [UInt8]) -> NetworkZone {
    if let carried = carriedIPv4(bytes) { return zone(ipv4: carried) }
    switch (bytes[0], bytes[1]) {
    case (0x00, 0x00):
      return bytes[..<15].allSatisfy { $0 == 0 } && bytes[15] == 1
        ? .loopback : .reserved
    case (0xFC...0xFD, _), (0xFE, 0xC0...0xFF): return .local
    case (0xFE, 0x80...0xBF): return .link
    case (0x20...0x3F, _): return isDocumentation(bytes) ? .reserved : .open
    default: return .reserved
    }
  }

  /// IPv4 address embedded in a mapped (::ffff:0:0/96), translated (64:ff9b::/96) or 6to4 (2002::/16)
  /// one; nil for others.
  private static func carriedIPv4(_ bytes: [UInt8]) -> [UInt8]? {
    let zeros = [UInt8](repeating: 0, count: 10)
    if bytes.starts(with: zeros + [0xFF, 0xFF]) { return Array(bytes[12...]) }
    if bytes.starts(with: [0x00, 0x64, 0xFF, 0x9B] + zeros.prefix(8)) {
      return Array(bytes[12...])
    }
    if bytes.starts(with: [0x20, 0x02]) { return Array(bytes[2..<6]) }
    return nil
  }

  private static func isDocumentation(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0x20, 0x01, 0x0D, 0xB8])
  }
}

extension NetworkZone {
  /// Whether only this computer or a private network reaches it.
  package var isPrivate: Bool { [.loopback, .local, .link].contains(self) }

  /// Creates the zone of a socket address; its storage must be as long as its family needs.
  package init(socketAddress: UnsafePointer<sockaddr>, family: Int32) {
    let raw = UnsafeRawPointer(socketAddress)
    let bytes: UnsafeRawBufferPointer
    switch family {
    case AF_INET:
      bytes = UnsafeRawBufferPointer(
        start: raw + (MemoryLayout<sockaddr_in>.offset(of: \.sin_addr) ?? 0), count: 4)
    case AF_INET6:
      bytes = UnsafeRawBufferPointer(
        start: raw + (MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr) ?? 0), count: 16)
    default: bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    }
    self.init(Array(bytes))
  }

  /// Creates the zone of a numeric address as libcurl reports it; nil if it is none.
  package init?(digits: String) {
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, digits, &four) == 1 {
      self.init(withUnsafeBytes(of: four) { Array($0) })
    } else if inet_pton(AF_INET6, digits, &six) == 1 {
      self.init(withUnsafeBytes(of: six) { Array($0) })
    } else {
      return nil
    }
  }
}
