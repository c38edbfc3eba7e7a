internal import CPostgres

extension PostgresConnection {
  /// Why an address is refused that is not readable; libpq's own words repeat what they are about.
  static let unreadableAddress =
    "its address cannot be read; in a password @ is written %40, / %2F and % %25"

  /// Whether libpq reads an address as it was meant, so that none of its messages takes a part of the
  /// password for a host or a port.
  ///
  /// - Parameter address: `postgresql://USER:PASSWORD@HOST/NAME?...`.
  /// - Returns: false for others than libpq knows, and where an `@` is left beside the one before
  ///   the host.
  static func isReadable(_ address: String) -> Bool {
    guard let options = PQconninfoParse(address, nil) else { return false }
    PQconninfoFree(options)
    let place = address.prefix { $0 != "?" }
    let signs = place.drop { $0 != ":" }.dropFirst("://".count)
    let user = signs.prefix { $0 != "/" }
    return signs.count { $0 == "@" } == user.count { $0 == "@" }
      && user.count { $0 == "@" } <= 1
  }
}
