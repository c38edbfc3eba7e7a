/// Key by which places are compared: the words of a place as searches fold them, so that `seoul` begins
/// `Seoul, Mapo` and `서울마포` begins `서울 마포구`.
package struct PlaceKey: Hashable, Sendable {
  /// Words in one line; never empty, and without U+10FFFF, which ends the range of a beginning.
  package let text: String

  /// Nil for a text in which nothing can be looked for.
  package init?(_ place: String) {
    guard !place.isEmpty else { return nil }
    let line = SearchTokenizer().line(of: TextLimit.place.cut(place))
    text = String(line.unicodeScalars.filter { $0 != Self.last })
    if text.isEmpty { return nil }
  }

  private static let last: Unicode.Scalar = "\u{10FFFF}"

  /// Upper bound, not included, of all keys that begin with this one, in the order of UTF-8.
  package var end: String { text + String(Self.last) }

  /// Whether a place begins with this one.
  package func begins(_ place: String?) -> Bool {
    place.flatMap(PlaceKey.init)?.text.utf8.starts(with: text.utf8) ?? false
  }
}
