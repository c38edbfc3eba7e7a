import MarketModel

/// Who wants to register what, however often it is asked for.
struct RegistrationIntent: Sendable {
  /// Nil for a guest.
  let seller: SellerKey?
  let keyHash: [UInt8]

  init(author: Author, key: IdempotencyKey) {
    switch author {
    case .guest: seller = nil
    case .seller(let identifier): seller = SellerKey(identifier)
    }
    keyHash = ContentHash.of(key.rawValue)
  }
}
