import MarketModel

/// Lock of a product: whose it is, and its password.
package struct ProductLock: Sendable {
  /// Empty where nobody can sign in as the seller.
  package let identifierHash: [UInt8]
  package let passwordHash: String
  /// Whether the market takes nothing from its seller, or from who asks.
  package let isBlocked: Bool

  package init(identifierHash: [UInt8], passwordHash: String, isBlocked: Bool) {
    self.identifierHash = identifierHash
    self.passwordHash = passwordHash
    self.isBlocked = isBlocked
  }

  /// Why an author may not change the product, whatever its password is; nil where the password
  /// decides.
  package func refusal(of author: Author) -> RepositoryError? {
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

/// A product with its lock.
package struct GuardedDetail: Sendable {
  package let detail: ProductDetail
  package let lock: ProductLock

  package init(detail: ProductDetail, lock: ProductLock) {
    self.detail = detail
    self.lock = lock
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
  package var sellerKey: SellerKey? {
    guard case .seller(let identifier) = self else { return nil }
    return SellerKey(identifier)
  }
}

/// Place where password attempts are counted together: a product and an origin.
package struct AttemptKey: Sendable {
  package let product: Product.ID
  package let originHash: [UInt8]
  package let isOpenToStrangers: Bool

  /// `isOpen` says that nobody can sign in as the product's seller, so that any identifier may try.
  package init(_ origin: AttemptOrigin, on product: Product.ID, isOpen: Bool) {
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

/// Password attempts that nobody else counts meanwhile.
package struct LockedAttempts: Sendable {
  package let key: AttemptKey
  package var attempts: PasswordAttempts

  package init(key: AttemptKey, attempts: PasswordAttempts) {
    self.key = key
    self.attempts = attempts
  }
}
