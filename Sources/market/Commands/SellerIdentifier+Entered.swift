import MarketModel

extension SellerIdentifier {
  private static let longest = 128

  /// - Parameter text: what somebody entered; nil unless it is one word that a header can hold.
  init?(entered text: String) {
    let word = text.drop { $0.isWhitespace }.prefix { !$0.isWhitespace }
    let rest = text[word.endIndex...]
    guard (1...Self.longest).contains(word.count), rest.allSatisfy(\.isWhitespace),
      word.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    self.init(secret: String(word))
  }
}
