import MarketModel

/// Where attempts of a password are counted together.
package struct AttemptPlace: Sendable {
  package let product: Product.ID
  package let originHash: [UInt8]
  package let isOpenToStrangers: Bool

  /// - Parameters:
  ///   - origin: who tries.
  ///   - product: the product.
  ///   - isOpen: whether nobody can sign in as its seller, so that any identifier may try.
  package init(_ origin: AttemptOrigin, on product: Product.ID, isOpen: Bool) {
    self.product = product
    if !isOpen, case .seller(let identifier) = origin.author {
      originHash = ContentHash.of(origin.address + "\n" + identifier.secret)
      isOpenToStrangers = false
    } else {
      originHash = ContentHash.of(origin.address)
      isOpenToStrangers = true
    }
  }
}
