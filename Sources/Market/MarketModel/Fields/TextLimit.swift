/// Length limit of a text in characters, Unicode scalars and UTF-8 bytes.
///
/// One character may carry any number of marks, so characters alone bound neither memory nor a page.
/// Every text of a stranger has one of these limits: requests and imports beyond it are refused,
/// texts of foreign servers and market files are cut.
package struct TextLimit: Hashable, Sendable {
  private static let scalarsPerCharacter = 8
  private static let bytesPerCharacter = 32

  package static let productName = TextLimit(1...1_000)
  package static let description = TextLimit(0...100_000)
  package static let sellerName = TextLimit(1...100)
  /// File name of a telephone's photo.
  package static let uploadName = TextLimit(0...100)
  /// Name of a market, set by its operator.
  package static let marketName = TextLimit(0...60)
  /// Pickup place of a product.
  package static let place = TextLimit(0...40)
  /// Contact of a seller.
  package static let contact = TextLimit(0...200)
  /// Typed search line.
  package static let search = TextLimit(0...1_000)
  /// One phrase or excluded word.
  package static let searchRun = TextLimit(1...200)
  /// Raw value of a choice.
  package static let choice = TextLimit(0...32)
  /// Currency code of a foreign server.
  package static let currency = TextLimit(1...16)
  /// Message of a server.
  package static let message = TextLimit(0...1_000)

  package let characters: ClosedRange<Int>

  package init(_ characters: ClosedRange<Int>) { self.characters = characters }

  package var scalars: Int { characters.upperBound * Self.scalarsPerCharacter }

  package var bytes: Int { characters.upperBound * Self.bytesPerCharacter }

  package func allows(_ text: String) -> Bool { problem(of: text) == nil }

  /// Returns what is wrong with a text; nil where it is within the limit.
  package func problem(of text: String) -> FieldError.Problem? {
    guard isWithinUpperBounds(text) else { return .tooLong(maximum: characters.upperBound) }
    let isTooShort = characters.lowerBound > 0 && text.count < characters.lowerBound
    return isTooShort ? .missing : nil
  }

  /// Returns the longest prefix of a text within the upper bounds.
  package func cut(_ text: String) -> String {
    guard !isWithinUpperBounds(text) else { return text }
    var bytes = 0
    // Scalars first, so that the characters of megabytes are not counted.
    let scalars = text.unicodeScalars.prefix(scalars).prefix { scalar in
      bytes += UTF8.width(scalar)
      return bytes <= self.bytes
    }
    return String(Substring(scalars).prefix(characters.upperBound))
  }

  private func isWithinUpperBounds(_ text: String) -> Bool {
    let byteCount = text.utf8.count
    // Every character takes at least a byte.
    if byteCount <= characters.upperBound { return true }
    return byteCount <= bytes && text.unicodeScalars.count <= scalars
      && text.count <= characters.upperBound
  }
}
