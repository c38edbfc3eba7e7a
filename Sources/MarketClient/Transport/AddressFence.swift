/// Which zones a request may connect to, asked with the address that the name look-up gave.
///
/// Because it sees the address that is about to be connected to, no spelling of a host (decimal,
/// octal, mapped into IPv6) and no answer of a name server gets around it.
package struct AddressFence: Hashable, Sendable {
  private let zones: Set<NetworkZone>?

  /// Lets everything pass: for the server that the user named.
  package static let none = AddressFence(zones: nil)

  /// Lets addresses of the open network pass, and those of the zone that the market server answered
  /// from; nil before it did.
  package static func around(market: NetworkZone?) -> AddressFence {
    AddressFence(zones: market.map { [.open, $0] } ?? [.open])
  }

  package func admits(_ zone: NetworkZone) -> Bool {
    zones?.contains(zone) ?? true
  }
}
