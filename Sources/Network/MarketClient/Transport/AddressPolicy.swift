import MarketModel

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
