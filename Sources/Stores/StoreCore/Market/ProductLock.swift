import MarketModel

/// Lock of a product: whose it is, and its password.
struct ProductLock: Sendable {
  /// Empty where nobody can sign in as the seller.
  let identifierHash: [UInt8]
  let passwordHash: String
  /// Whether the market takes nothing from its seller, or from who asks.
  let isBlocked: Bool

  /// Why an author may not change the product, whatever its password is; nil where the password
  /// decides.
  func refusal(of author: Author) -> RepositoryError? {
    guard opens(for: author) else { return .notOwner }
    return isBlocked ? .blocked : nil
  }

  /// Whether an author may change the product: sellers their own, those of *guest* and of others
  /// who cannot sign in, as the sellers of the sample market; for guests the password alone
  /// decides.
  private func opens(for author: Author) -> Bool {
    guard case .seller(let identifier) = author else { return true }
    return identifierHash.isEmpty || identifierHash == SellerKey(identifier).hash
  }
}

/// A hashed identifier of a seller: what the file holds of a credential.
package struct SellerKey: Hashable, Sendable {
  package let hash: [UInt8]

  package init(_ identifier: SellerIdentifier) {
    hash = ContentHash.of(identifier.secret)
  }
}

extension Author {
  /// The key of the seller who showed an identifier; nil for a guest.
  var sellerKey: SellerKey? {
    guard case .seller(let identifier) = self else { return nil }
    return SellerKey(identifier)
  }
}

/// Place where password attempts are counted together: a product and an origin.
struct AttemptKey: Sendable {
  let product: Product.ID
  let originHash: [UInt8]
  let isOpenToStrangers: Bool

  /// `isOpen` says that nobody can sign in as the product's seller, so that any identifier may try.
  init(_ origin: AttemptOrigin, on product: Product.ID, isOpen: Bool) {
    self.product = product
    if !isOpen, case .seller(let identifier) = origin.author {
      originHash = ContentHash.of(origin.network + "\n" + identifier.secret)
      isOpenToStrangers = false
    } else {
      originHash = ContentHash.of(origin.network)
      isOpenToStrangers = true
    }
  }
}
