/// An entity tag (RFC 9110, section 8.8.3).
///
/// Weak tags count as strong ones: proxies weaken the tags of what they compress.
package struct EntityTag: Hashable, Sendable {
  /// What stands between the quotes.
  package let value: String

  /// Makes a tag of any text; what may not stand in a tag is dropped.
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

  /// The tag as a header holds it.
  package var text: String { "\"" + value + "\"" }

  /// Whether a header of tags, `If-Match` or `If-None-Match`, names this one; `*` names all.
  package func isNamed(in header: String) -> Bool {
    header.split(separator: ",").contains {
      String($0).trimmed == "*" || EntityTag(parsing: $0) == self
    }
  }
}
