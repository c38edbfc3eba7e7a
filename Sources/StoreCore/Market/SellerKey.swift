import MarketModel

/// A hashed identifier of a seller: what the file holds of a credential.
package struct SellerKey: Hashable, Sendable {
  package let hash: [UInt8]

  package init(_ identifier: SellerIdentifier) {
    hash = ContentHash.of(identifier.secret)
  }
}

extension Author {
  /// The key of the seller who showed an identifier; nil for a guest.
  package var sellerKey: SellerKey? {
    guard case .seller(let identifier) = self else { return nil }
    return SellerKey(identifier)
  }
}
