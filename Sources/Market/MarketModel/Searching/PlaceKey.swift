/// Key for prefix comparison of places: the folded words, so that `seoul` is a prefix of `Seoul,
/// Mapo` and `서울마포` one of `서울 마포구`.
package struct PlaceKey: Hashable, Sendable {
  /// Folded words in one line; never empty, and without U+10FFFF, which `end` appends.
  package let text: String

  /// Nil for a text without searchable characters.
  package init?(_ place: String) {
    guard !place.isEmpty else { return nil }
    let line = SearchTokenizer().line(of: TextLimit.place.cut(place))
    text = String(line.unicodeScalars.filter { $0 != Self.last })
    if text.isEmpty { return nil }
  }

  private static let last: Unicode.Scalar = "\u{10FFFF}"

  /// Exclusive upper bound of all keys with this prefix, in the order of UTF-8.
  package var end: String { text + String(Self.last) }

  /// Whether a place has this key as its prefix; false for nil.
  package func begins(_ place: String?) -> Bool {
    place.flatMap(PlaceKey.init)?.text.utf8.starts(with: text.utf8) ?? false
  }
}
