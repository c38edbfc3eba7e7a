/// Key by which places are searched: their letters and digits after folding, so that `seoul mapo` begins "Seoul,
/// Mapo" and `서울마포` begins "서울 마포구".
package struct PlaceKey: Hashable, Sendable {
  /// Never empty, and without U+10FFFF, which `end` appends.
  package let text: String

  /// Nil for a text in which nothing can be looked for; marks alone are looked for as they are.
  package init?(_ place: String) {
    guard let whole = Self.all(in: place).first else { return nil }
    self = whole
  }

  private init?(_ words: some Collection<String>) {
    text = words.joined()
    if text.isEmpty { return nil }
  }

  /// The keys from the beginning of each word of a place on, the whole place first.
  package static func all(in place: String) -> [PlaceKey] {
    guard !place.isEmpty else { return [] }
    let place = TextLimit.place.cut(place)
    let words = place.split { !$0.isLetter && !$0.isNumber }.map(folded)
    guard !words.isEmpty else { return [PlaceKey([folded(place[...])])].compactMap(\.self) }
    return words.indices.compactMap { PlaceKey(words[$0...]) }
  }

  private static func folded(_ text: Substring) -> String {
    let letters = SearchTokenizer().words(of: String(text)).joined()
    return String(String.UnicodeScalarView(letters.filter { $0 != last }))
  }

  private static let last: Unicode.Scalar = "\u{10FFFF}"

  /// Exclusive upper bound of all keys with this prefix, in the order of UTF-8.
  package var end: String { text + String(Self.last) }

  /// Whether a word of a place begins with this key; false for nil.
  package func beginsWord(of place: String?) -> Bool {
    place.map(Self.all(in:))?.contains { $0.text.utf8.starts(with: text.utf8) } ?? false
  }
}
