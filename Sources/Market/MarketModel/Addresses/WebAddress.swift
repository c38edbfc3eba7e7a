internal import TextCoding

/// Absolute http or https address, parsed strictly so that its host is unambiguous.
///
/// Other schemes, user names, control characters, spaces, backslashes and non-ASCII hosts are
/// refused: two parsers may disagree about them (RFC 3986 section 3.2).
package struct WebAddress: Hashable, Sendable {
  package enum Scheme: String, Hashable, Sendable {
    case http
    case https

    var defaultPort: UInt16 { self == .http ? 80 : 443 }
  }

  /// Origin that credentials belong to: scheme, host and port (RFC 6454).
  package struct Origin: Hashable, Sendable {
    package let scheme: Scheme
    /// Lower case; an IPv6 address has brackets.
    package let host: String
    package let port: UInt16

    /// Host and port for the `Host` header, without the scheme's default port.
    package var authority: String {
      hasUsualPort ? host : "\(host):\(port)"
    }

    package var text: String { "\(scheme.rawValue)://\(authority)" }

    /// Whether the port is the scheme's default.
    package var hasUsualPort: Bool { port == scheme.defaultPort }

    /// Whether the host is this machine itself, wherever the address is opened (RFC 6761, section 6.3).
    package var isLoopback: Bool {
      if host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" { return true }
      return host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
    }

    /// Whether this is https and the other http at the same host.
    package func isEncryptedTwin(of other: Origin) -> Bool {
      scheme == .https && other.scheme == .http && host == other.host
    }
  }

  package let origin: Origin
  /// Path and query, percent-encoded; begins with "/".
  package let target: String

  package init(origin: Origin, target: String) {
    self.origin = origin
    self.target = target
  }

  /// Parses an address and drops its fragment; nil for an invalid or refused one.
  package init?(_ text: String) {
    guard let colon = text.firstRange(of: "://"),
      let scheme = Scheme(rawValue: text[..<colon.lowerBound].lowercased())
    else { return nil }
    let rest = text[colon.upperBound...].prefix { $0 != "#" }
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    guard let (host, port) = Self.hostAndPort(authority),
      let target = Self.escapedTarget(rest[authority.endIndex...])
    else { return nil }
    self.init(
      origin: Origin(scheme: scheme, host: host, port: port ?? scheme.defaultPort), target: target)
  }

  /// The address as text, without the scheme's default port.
  package var text: String { origin.text + target }

  /// Percent-encoded path without the query; begins with "/".
  package var path: Substring { target.prefix { $0 != "?" } }

  /// The address without query and without trailing slashes, except for the path `/`; markets at
  /// equal ones are the same.
  package var withoutEnding: WebAddress {
    var path = path
    while path.hasSuffix("/"), path.count > 1 { path.removeLast() }
    return WebAddress(origin: origin, target: String(path))
  }

  /// Returns the address of a resource below this one, without this one's query; `target` is path and
  /// query, beginning with "/".
  package func appending(_ target: String) -> WebAddress {
    var base = String(path)
    while base.hasSuffix("/") { base.removeLast() }
    return WebAddress(origin: origin, target: base + target)
  }

  private static func hostAndPort(_ authority: Substring) -> (String, UInt16?)? {
    let isBracketed = authority.hasPrefix("[")
    let host: Substring
    if isBracketed {
      guard let end = authority.firstIndex(of: "]") else { return nil }
      host = authority[...end]
      guard host.dropFirst().dropLast().utf8.allSatisfy(isAddressByte) else { return nil }
    } else {
      host = authority.prefix { $0 != ":" }
      guard host.utf8.allSatisfy(isHostByte) else { return nil }
    }
    guard host.utf8.count > (isBracketed ? 3 : 0), host.utf8.count <= 253 else { return nil }
    let rest = authority[host.endIndex...]
    if rest.isEmpty { return (host.lowercased(), nil) }
    let digits = rest.dropFirst()
    guard rest.first == ":", digits.utf8.allSatisfy(isDigit), let port = UInt16(digits), port > 0
    else { return nil }
    return (host.lowercased(), port)
  }

  /// Percent-encodes non-ASCII bytes, as browsers do; nil for a control character, a space or a
  /// backslash.
  private static func escapedTarget(_ target: Substring) -> String? {
    var escaped = target.hasPrefix("/") ? "" : "/"
    for byte in target.utf8 {
      switch byte {
      case 0...0x20, 0x7F, UInt8(ascii: "\\"): return nil
      case 0x80...: escaped += "%" + Hexadecimal.text(of: [byte]).uppercased()
      default: escaped.unicodeScalars.append(Unicode.Scalar(byte))
      }
    }
    return escaped
  }

  /// Whether a byte may occur in a host name: letters, digits, `-`, `.` and `_`.
  static func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isAddressByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ":"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}
