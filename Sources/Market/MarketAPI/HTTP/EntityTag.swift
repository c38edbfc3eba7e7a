/// Entity tag (RFC 9110, section 8.8.3).
///
/// Weak tags equal strong ones: proxies weaken the tags of compressed responses.
package struct EntityTag: Hashable, Sendable {
  /// Text between the quotes.
  package let value: String

  /// Makes a tag of any text; bytes that a tag may not contain are dropped.
  package init(value: String) {
    let bytes = value.utf8.filter { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 }
    self.value = String(decoding: bytes, as: UTF8.self)
  }

  /// Reads `"x"`, `W/"x"` or a bare `x`; nil where nothing is left.
  package init?(parsing text: some StringProtocol) {
    var rest = String(text).trimmed[...]
    if rest.hasPrefix("W/") { rest = rest.dropFirst(2) }
    self.init(value: String(rest))
    if value.isEmpty { return nil }
  }

  /// The tag as a header value.
  package var text: String { "\"" + value + "\"" }

  /// Whether `If-Match` or `If-None-Match` contains this tag; `*` matches all.
  package func isNamed(in header: String) -> Bool {
    header.split(separator: ",").contains {
      String($0).trimmed == "*" || EntityTag(parsing: $0) == self
    }
  }
}

/// Short digest of content: FNV-1a in 64 bits (draft-eastlake-fnv).
///
/// It is stable across runs and not cryptographic: enough to detect a changed page.
package struct ContentDigest {
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  package init() {}

  // Not generic: other modules would iterate through witness tables, some 20 times as slowly, and a
  // page's tag would take longer than its rows.
  package mutating func add(_ bytes: [UInt8]) {
    var value = value
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    self.value = value
  }
}
