import MarketModel

/// Who wants to register what, however often it is asked for.
package struct RegistrationIntent: Sendable {
  /// Nil for a guest.
  package let seller: SellerKey?
  package let keyHash: [UInt8]

  package init(author: Author, key: IdempotencyKey) {
    switch author {
    case .guest: seller = nil
    case .seller(let identifier): seller = SellerKey(identifier)
    }
    keyHash = ContentHash.of(key.rawValue)
  }
}
