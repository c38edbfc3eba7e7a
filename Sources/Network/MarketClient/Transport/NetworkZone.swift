import MarketModel

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

extension WebAddress.Origin {
  /// Suffixes of private networks, which public name servers do not resolve (RFC 6761, 6762, 8375).
  private static let privateEndings = [".localhost", ".local", ".home.arpa", ".internal"]

  /// Whether the host is on this computer or in a private network, judged by its text: a private
  /// address, a name without a dot or with a private suffix.
  var isPrivate: Bool {
    if let zone = NetworkZone(digits: host.filter { $0 != "[" && $0 != "]" }) {
      return zone == .loopback || zone == .local
    }
    return !host.contains(".") || Self.privateEndings.contains { host.hasSuffix($0) }
  }
}

/// Address policy of a request: the network zones that it may connect to.
///
/// The policy is applied to the resolved address before the connection, so no spelling of a host
/// (decimal, octal, mapped into IPv6) and no answer of a name server circumvents it.
package struct AddressPolicy: Hashable, Sendable {
  private let zones: Set<NetworkZone>?

  /// Admits every zone; for the server that the user named.
  package static let none = AddressPolicy(zones: nil)

  /// Admits open addresses and the zone `market`; nil adds none.
  package static func around(market: NetworkZone?) -> AddressPolicy {
    AddressPolicy(zones: market.map { [.open, $0] } ?? [.open])
  }

  /// Whether an address of a zone may be connected to.
  package func admits(_ zone: NetworkZone) -> Bool {
    zones?.contains(zone) ?? true
  }
}
