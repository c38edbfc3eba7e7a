/// How long a text may be, in three measures at once: characters as people count them, Unicode
/// scalars, and bytes of UTF-8.
///
/// One character may carry any number of marks, so that a count of characters alone bounds neither
/// memory nor a page. Every text that a stranger sends or stores has one of these limits: what a
/// request or an import brings is refused above it, what a foreign server or a market file holds is
/// cut.
package struct TextLimit: Hashable, Sendable {
  private static let scalarsPerCharacter = 8
  private static let bytesPerCharacter = 32

  package static let productName = TextLimit(1...1_000)
  package static let description = TextLimit(0...100_000)
  package static let sellerName = TextLimit(1...100)
  /// What a market's operator calls it.
  package static let marketName = TextLimit(0...60)
  /// Where a product is.
  package static let place = TextLimit(0...40)
  /// How a seller wants to be reached.
  package static let contact = TextLimit(0...200)
  /// What is typed into a search.
  package static let search = TextLimit(0...1_000)
  /// One phrase, or one word that must not occur.
  package static let searchRun = TextLimit(1...200)
  /// The name of a choice.
  package static let choice = TextLimit(0...32)
  /// Any code that a foreign server may send.
  package static let currency = TextLimit(1...16)
  /// What a server says in its own words.
  package static let message = TextLimit(0...1_000)

  package let characters: ClosedRange<Int>

  package init(_ characters: ClosedRange<Int>) {
    self.characters = characters
  }

  package var scalars: Int { characters.upperBound * Self.scalarsPerCharacter }

  /// In UTF-8.
  package var bytes: Int { characters.upperBound * Self.bytesPerCharacter }

  package func allows(_ text: String) -> Bool { problem(of: text) == nil }

  /// What is wrong with a text; nil where it keeps the limit.
  package func problem(of text: String) -> FieldError.Problem? {
    guard isWithinUpperBounds(text) else { return .tooLong(maximum: characters.upperBound) }
    let isTooShort = characters.lowerBound > 0 && text.count < characters.lowerBound
    return isTooShort ? .missing : nil
  }

  /// The longest beginning of a text that keeps the upper bounds.
  package func cut(_ text: String) -> String {
    guard !isWithinUpperBounds(text) else { return text }
    var bytes = 0
    // Scalars first: the characters of megabytes are never counted.
    let scalars = text.unicodeScalars.prefix(scalars).prefix { scalar in
      bytes += UTF8.width(scalar)
      return bytes <= self.bytes
    }
    return String(Substring(scalars).prefix(characters.upperBound))
  }

  private func isWithinUpperBounds(_ text: String) -> Bool {
    let byteCount = text.utf8.count
    // No character takes less than a byte.
    if byteCount <= characters.upperBound { return true }
    return byteCount <= bytes && text.unicodeScalars.count <= scalars
      && text.count <= characters.upperBound
  }
}
