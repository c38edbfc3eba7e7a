import MarketModel

/// What guards a product: whose it is, and its password.
package struct ProductLock: Sendable {
  /// Empty where nobody can sign in as the seller.
  package let identifierHash: [UInt8]
  package let passwordHash: String

  package init(identifierHash: [UInt8], passwordHash: String) {
    self.identifierHash = identifierHash
    self.passwordHash = passwordHash
  }

  /// Whether an author may change the product: sellers their own, those of *guest* and of others
  /// who cannot sign in, as the sellers of the sample market; for guests the password alone
  /// decides.
  package func opens(for author: Author) -> Bool {
    guard case .seller(let identifier) = author else { return true }
    return identifierHash.isEmpty || identifierHash == SellerKey(identifier).hash
  }
}
