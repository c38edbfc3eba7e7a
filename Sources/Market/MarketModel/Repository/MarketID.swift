/// Random id that a market gave itself, by which favorites, alerts and history are found again at
/// another address.
///
/// A market can claim any id: it proves nothing and grants nothing.
package struct MarketID: Hashable, Sendable {
  /// 32 hexadecimal digits, lower case.
  package let text: String

  private static let length = 32

  /// Nil unless the text is 32 lower-case hexadecimal digits.
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

/// Market that may know its own id.
package protocol IdentifiedMarket: Sendable {
  /// Returns the id; nil where the market has none, or a server has not sent it yet: no request is
  /// made.
  ///
  /// - Throws: `.store` where the market file cannot be read.
  func marketID() async throws(RepositoryError) -> MarketID?
}
