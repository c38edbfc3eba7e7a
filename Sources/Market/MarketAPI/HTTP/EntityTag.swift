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

/// Short digest of content: FNV-1a in 64 bits (draft-eastlake-fnv) over words of eight bytes, with the upper
/// half folded into the lower one after each.
///
/// It is stable across runs and not cryptographic: enough to detect a changed page. Arrays that are added one
/// by one have another digest than all of them at once.
package struct ContentDigest {
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  package init() {}

  // Not generic: other modules would iterate through witness tables, some 20 times as slowly, and a
  // page's tag would take longer than its rows.
  package mutating func add(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      let end = bytes.count & ~7
      for offset in stride(from: 0, to: end, by: 8) {
        add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      }
      let rest = bytes[end...]
      add(rest.reversed().reduce(UInt64(rest.count)) { $0 << 8 | UInt64($1) })
    }
  }

  private mutating func add(_ word: UInt64) {
    value = (value ^ word) &* 0x0000_0100_0000_01B3
    value = (value ^ value >> 32) &* 0x9E37_79B9_7F4A_7C15
  }
}
