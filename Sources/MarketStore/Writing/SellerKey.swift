import MarketModel

/// A hashed identifier of a seller: what the file holds of a credential.
struct SellerKey: Hashable, Sendable {
  let hash: [UInt8]

  init(_ identifier: SellerIdentifier) {
    hash = ContentHash.of(identifier.secret)
  }
}
