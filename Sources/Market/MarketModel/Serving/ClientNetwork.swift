import Glibc

/// Network that counts as one client in all per-address limits: an IPv4 address, or the first 64 bits
/// of an IPv6 address, all of which one client may own (RFC 6177, section 2; RFC 8981).
package struct ClientNetwork: Hashable, Sendable {
  /// IPv4 address, or `2001:db8::/64`; other text is left unchanged.
  package let text: String

  package init(of address: String) { text = Self.network(of: address) ?? address }

  private static func network(of address: String) -> String? {
    guard address.utf8.contains(UInt8(ascii: ":")) else { return nil }
    var all = in6_addr()
    // The zone is local to this machine.
    guard inet_pton(AF_INET6, String(address.prefix { $0 != "%" }), &all) == 1 else { return nil }
    let bytes = withUnsafeBytes(of: all) { Array($0) }
    // An IPv4 client of an IPv6 socket (RFC 4291, section 2.5.5.2).
    if bytes[..<12].elementsEqual([UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]) {
      return bytes[12...].map { String($0) }.joined(separator: ".")
    }
    let groups = stride(from: 0, to: 8, by: 2).map { position in
      String(UInt16(bytes[position]) << 8 | UInt16(bytes[position + 1]), radix: 16)
    }
    return groups.joined(separator: ":") + "::/64"
  }
}
