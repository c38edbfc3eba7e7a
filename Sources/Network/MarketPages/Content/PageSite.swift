internal import SafeTextKit

/// What a page says of the market itself: where it is, and how to get there.
package struct PageSite: Hashable, Sendable {
  /// The market's address as its operator has said it, without a slash at the end; only with one are
  /// there canonical addresses and a site map, for what a client sends as `Host` may be anybody's.
  package let publicAddress: String?
  /// The address that was asked, by which the market can be opened.
  package let address: String
  package let guests: GuestAddress?
  /// The name that the operator has given the market; nil where it has none.
  let name: SafeText?

  package init(
    publicAddress: String? = nil, asked: String, guests: GuestAddress? = nil, name: String? = nil
  ) {
    self.name = name.map { SafeText($0) }
    self.publicAddress = publicAddress.map(Self.withoutSlash)
    address = self.publicAddress ?? Self.withoutSlash(asked)
    self.guests = guests
  }

  /// The path below which the market lies; empty for the whole host.
  var root: String {
    guard let publicAddress, let scheme = publicAddress.firstRange(of: "://") else { return "" }
    return String(publicAddress[scheme.upperBound...].drop { $0 != "/" })
  }

  /// The market's name, else its address without the scheme, as people say it.
  var title: SafeText {
    name
      ?? SafeText(
        address.firstRange(of: "://").map { String(address[$0.upperBound...]) } ?? address)
  }

  private static func withoutSlash(_ address: String) -> String {
    address.last == "/" ? String(address.dropLast()) : address
  }
}

/// Where guests come in over ssh, with the fingerprint of the host's key.
///
/// Written as `HOST`, `HOST:PORT` or one of them with `,SHA256:FINGERPRINT` behind it.
package struct GuestAddress: Hashable, Sendable, CustomStringConvertible {
  package let host: String
  /// Nil for the usual one.
  package let port: UInt16?
  package let fingerprint: String?

  private static let fingerprintStart = "SHA256:"
  private static let fingerprintLength = 43

  package init?(_ text: String) {
    let parts = text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
    guard let position = parts.first else { return nil }
    if parts.count > 1 {
      guard Self.isFingerprint(parts[1]) else { return nil }
    }
    fingerprint = parts.count > 1 ? String(parts[1]) : nil
    let words = position.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let host = words.first, Self.isHost(host) else { return nil }
    self.host = String(host)
    guard words.count > 1 else {
      port = nil
      return
    }
    guard let port = UInt16(words[1]), port > 0 else { return nil }
    self.port = port
  }

  package var description: String {
    host + (port.map { ":\($0)" } ?? "") + (fingerprint.map { "," + $0 } ?? "")
  }

  /// What is typed to come in: ssh sends the local user's name unless it is told another.
  var command: SafeText {
    SafeText("ssh " + (port.map { "-p \($0) " } ?? "") + "market@" + host)
  }

  /// A name or a number: nothing that a shell or ssh would take for more.
  private static func isHost(_ text: Substring) -> Bool {
    guard (1...253).contains(text.utf8.count), text.first != "-" else { return false }
    return text.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
      default: false
      }
    }
  }

  private static func isFingerprint(_ text: Substring) -> Bool {
    guard text.hasPrefix(fingerprintStart) else { return false }
    let rest = text.dropFirst(fingerprintStart.count)
    return rest.utf8.count == fingerprintLength
      && rest.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "+" || $0 == "/") }
  }
}
