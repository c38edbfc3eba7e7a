/// A place as its beginning is searched: the words that searches compare, so that `seoul` finds `Seoul,
/// Mapo`, and `서울마포` finds `서울 마포구`.
package struct PlaceKey: Hashable, Sendable {
  /// Never empty, and without the last of all scalars.
  package let text: String

  /// Nil for a text in which nothing can be looked for.
  package init?(_ place: String) {
    let line = SearchTokenizer().line(of: TextLimit.place.cut(place))
    text = String(line.unicodeScalars.filter { $0 != Self.last })
    if text.isEmpty { return nil }
  }

  private static let last: Unicode.Scalar = "\u{10FFFF}"

  /// A text behind all that begin with this one, in the order of their bytes.
  package var end: String { text + String(Self.last) }

  /// Whether a place begins with this one.
  package func begins(_ place: String?) -> Bool {
    place.flatMap(PlaceKey.init)?.text.utf8.starts(with: text.utf8) ?? false
  }
}
