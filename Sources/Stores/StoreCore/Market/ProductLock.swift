import MarketModel

/// Credentials that protect a product: the hashed identifier of its seller, and its password hash.
struct ProductLock: Sendable {
  /// Empty where the seller has no identifier.
  let identifierHash: [UInt8]
  let passwordHash: String
  /// Whether the operator has blocked the product's seller or the author.
  let isBlocked: Bool

  /// Reason why an author may not change the product even with its password; nil where the password
  /// decides.
  func refusal(of author: Author) -> RepositoryError? {
    guard opens(for: author) else { return .notOwner }
    return isBlocked ? .blocked : nil
  }

  /// Whether an author may change the product: sellers their own products, and those of sellers without
  /// an identifier (*guest*, the sample market); for guests the password alone decides.
  private func opens(for author: Author) -> Bool {
    guard case .seller(let identifier) = author else { return true }
    return identifierHash.isEmpty || identifierHash == SellerKey(identifier).hash
  }
}

/// Hashed identifier of a seller; the store holds no other form of it.
package struct SellerKey: Hashable, Sendable {
  package let hash: [UInt8]

  package init(_ identifier: SellerIdentifier) {
    hash = ContentHash.of(identifier.secret)
  }
}

extension Author {
  /// The key of a signed-in seller; nil for a guest.
  var sellerKey: SellerKey? {
    guard case .seller(let identifier) = self else { return nil }
    return SellerKey(identifier)
  }
}

/// Key under which password attempts are counted: a product and an origin.
struct AttemptKey: Sendable {
  let product: Product.ID
  let originHash: [UInt8]
  let isOpenToStrangers: Bool

  /// `isOwner` means that the author has the identifier of the product's seller; all others of a network
  /// share its attempts, whatever identifiers they make up.
  init(_ origin: AttemptOrigin, on product: Product.ID, isOwner: Bool) {
    self.product = product
    isOpenToStrangers = !isOwner
    if isOwner, case .seller(let identifier) = origin.author {
      originHash = ContentHash.of(origin.network + "\n" + identifier.secret)
    } else {
      originHash = ContentHash.of(origin.network)
    }
  }
}
