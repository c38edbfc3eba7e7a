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

  /// How long it is known what an intent has led to: 30 days, after which nobody repeats a request.
  package static let memorySeconds: Int64 = 30 * 86_400

  /// More than are added between two times to forget.
  package static let forgottenAtOnce: Int64 = 1_000

  /// Whether older intents are to be forgotten with this registration: rarely, so that servers which
  /// share a store are seldom in each other's way.
  package static func isTimeToForget(after product: Product.ID) -> Bool {
    product.rawValue % 64 == 0
  }
}
