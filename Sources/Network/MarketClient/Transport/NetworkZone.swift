import MarketModel

/// The part of the network that an address belongs to.
package enum NetworkZone: Hashable, Sendable {
  case open
  case loopback
  /// Private networks, shared carrier networks and unique local addresses.
  case local
  /// Addresses of one link, where cloud machines also answer for their metadata.
  case link
  /// Multicast, broadcast, documentation and everything else that no server lives at.
  case reserved

  /// Takes 4 bytes of an IPv4 or 16 of an IPv6 address, in network order.
  package init(_ bytes: [UInt8]) {
    switch bytes.count {
    case 4: self = Self.zone(ipv4: bytes)
    case 16: self = Self.zone(ipv6: bytes)
    default: self = .reserved
    }
  }
}

extension NetworkZone {
  /// Sorts by the registry of special-purpose IPv4 addresses (RFC 6890).
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

  /// Sorts by the registry of special-purpose IPv6 addresses (RFC 6890); an address that carries an
  /// IPv4 address belongs where that one does.
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

  /// The IPv4 address in a mapped (::ffff:0:0/96), translated (64:ff9b::/96) or 6to4 (2002::/16) one.
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
  /// Names for networks of one's own, of which no public name server knows any (RFC 6761, 6762, 8375).
  private static let privateEndings = [".localhost", ".local", ".home.arpa", ".internal"]

  /// Whether the host says by itself that it is on this computer or in a network of one's own: an
  /// address there, or a name that is none elsewhere.
  var isPrivate: Bool {
    if let zone = NetworkZone(digits: host.filter { $0 != "[" && $0 != "]" }) {
      return zone == .loopback || zone == .local
    }
    return !host.contains(".") || Self.privateEndings.contains { host.hasSuffix($0) }
  }
}

/// Fence around a request: the zones it may connect to, asked with the address that the name
/// look-up gave.
///
/// Because it sees the address that is about to be connected to, no spelling of a host (decimal,
/// octal, mapped into IPv6) and no answer of a name server gets around it.
package struct AddressPolicy: Hashable, Sendable {
  private let zones: Set<NetworkZone>?

  /// Lets everything pass: for the server that the user named.
  package static let none = AddressPolicy(zones: nil)

  /// Lets addresses of the open network pass, and those of a zone that the market may name something
  /// in; nil for none.
  package static func around(market: NetworkZone?) -> AddressPolicy {
    AddressPolicy(zones: market.map { [.open, $0] } ?? [.open])
  }

  package func admits(_ zone: NetworkZone) -> Bool {
    zones?.contains(zone) ?? true
  }
}
