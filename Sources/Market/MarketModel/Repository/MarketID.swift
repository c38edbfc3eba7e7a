/// Random id that a market gave itself, by which a person's things are found again when its address
/// changes.
///
/// Anybody can say any id: it proves nothing and opens nothing.
package struct MarketID: Hashable, Sendable {
  /// 32 hexadecimal digits, in small letters.
  package let text: String

  private static let length = 32

  /// Nil for what is no id.
  package init?(_ text: String) {
    let isID =
      text.utf8.count == Self.length
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    guard isID else { return nil }
    self.text = text
  }

  private init(digits: String) { text = digits }

  package static func random() -> MarketID {
    MarketID(
      digits: (0..<length).map { _ in String(UInt8.random(in: 0..<16), radix: 16) }.joined())
  }
}

/// A market that may say which id it gave itself.
package protocol IdentifiedMarket: Sendable {
  /// Nil where the market has none, or has not said it yet; a server is not asked for it.
  func marketID() async throws(RepositoryError) -> MarketID?
}
