import MarketModel

/// Where tries of a password are counted together.
package struct TryPlace: Sendable {
  package let product: Product.ID
  package let originHash: [UInt8]
  package let isOpenToStrangers: Bool

  package init(_ origin: TryOrigin, on product: Product.ID, isGuests: Bool) {
    self.product = product
    if !isGuests, case .seller(let identifier) = origin.author {
      originHash = ContentHash.of(origin.address + "\n" + identifier.secret)
      isOpenToStrangers = false
    } else {
      originHash = ContentHash.of(origin.address)
      isOpenToStrangers = true
    }
  }
}
