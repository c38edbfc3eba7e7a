/// The secret by which a market knows a seller: a UUID that is a credential.
///
/// Like a password it has no coding and prints as dots.
package struct SellerIdentifier: Hashable, Sendable {
  /// The text itself; for the request header, the settings file of mode 0600 and the store only.
  package let secret: String

  package init(secret: String) {
    self.secret = secret
  }
}

extension SellerIdentifier: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  package var description: String { "••••" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension SellerIdentifier {
  private static let longest = 128

  /// - Parameter text: what somebody entered; nil unless it is one word that a header can hold.
  package init?(entered text: String) {
    let word = text.drop { $0.isWhitespace }.prefix { !$0.isWhitespace }
    let rest = text[word.endIndex...]
    guard (1...Self.longest).contains(word.count), rest.allSatisfy(\.isWhitespace),
      word.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    self.init(secret: String(word))
  }
}
