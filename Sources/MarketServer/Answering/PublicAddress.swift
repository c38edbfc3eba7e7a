import MarketAPI

/// What the addresses in answers begin with.
package enum PublicAddress: Hashable, Sendable {
  /// Always this: scheme, host and perhaps a path.
  case fixed(String)
  /// The host that the client itself named, or this one where it named none (HTTP/1.0).
  case asAsked(otherwise: HostAndPort)

  /// The beginning for one request; nil where the client names a host that cannot be one.
  ///
  /// What a client sends as `Host` comes back in answers that others may be given by a cache, so
  /// nothing but the characters of a host passes.
  func base(for request: ServerRequest) -> String? {
    switch self {
    case .fixed(let base): return base
    case .asAsked(let otherwise):
      let host = request.headers["Host"] ?? otherwise.description
      guard Self.isHost(host) else { return nil }
      return (request.visitor.isSecure ? "https://" : "http://") + host
    }
  }

  private static func isHost(_ text: String) -> Bool {
    guard (1...255).contains(text.utf8.count) else { return false }
    return text.utf8.allSatisfy { byte in
      switch byte {
      // Digits, letters, and what names, ports and numbers of IPv6 have beside them.
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x3A, 0x5B, 0x5D, 0x5F: true
      default: false
      }
    }
  }
}
