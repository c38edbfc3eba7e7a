internal import SafeTextKit

/// Address and name of the market on its pages.
package struct PageSite: Hashable, Sendable {
  /// Address that the operator configured, without a slash at the end; nil if none.
  ///
  /// Canonical addresses and the site map need it, since the client's `Host` is not trustworthy.
  package let publicAddress: String?
  /// Address of the market: the configured one, else that of the request.
  package let address: String
  /// Address for ssh guests; nil if there are none.
  package let guests: GuestAddress?
  /// Name of the market; nil if it has none.
  let name: SafeText?

  package init(
    publicAddress: String? = nil, asked: String, guests: GuestAddress? = nil, name: String? = nil
  ) {
    self.name = name.map { SafeText($0) }
    self.publicAddress = publicAddress.map(Self.withoutSlash)
    address = self.publicAddress ?? Self.withoutSlash(asked)
    self.guests = guests
  }

  /// Path of the market on its host; empty for the root.
  var root: String {
    guard let publicAddress, let scheme = publicAddress.firstRange(of: "://") else { return "" }
    return String(publicAddress[scheme.upperBound...].drop { $0 != "/" })
  }

  /// Name of the market, else its address without the scheme.
  var title: SafeText {
    name
      ?? SafeText(
        address.firstRange(of: "://").map { String(address[$0.upperBound...]) } ?? address)
  }

  private static func withoutSlash(_ address: String) -> String {
    address.last == "/" ? String(address.dropLast()) : address
  }
}

/// Address for ssh guests, with the fingerprint of the host's key.
///
/// Its text form is `HOST` or `HOST:PORT`, optionally followed by `,SHA256:FINGERPRINT`.
package struct GuestAddress: Hashable, Sendable, CustomStringConvertible {
  package let host: String
  /// Port; nil for 22.
  package let port: UInt16?
  /// Fingerprint of the host's key; nil if not configured.
  package let fingerprint: String?

  private static let fingerprintStart = "SHA256:"
  private static let fingerprintLength = 43

  /// Parses the text form; nil for anything else.
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

  /// Command for guests; the user name is given because ssh would send the local one.
  var command: SafeText {
    SafeText("ssh " + (port.map { "-p \($0) " } ?? "") + "market@" + host)
  }

  /// Whether a text is a host name or address, without characters that a shell or ssh would interpret.
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
