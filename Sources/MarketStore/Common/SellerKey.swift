import MarketModel

/// A hashed identifier of a seller: what the file holds of a credential.
package struct SellerKey: Hashable, Sendable {
  package let hash: [UInt8]

  package init(_ identifier: SellerIdentifier) {
    hash = ContentHash.of(identifier.secret)
  }
}
