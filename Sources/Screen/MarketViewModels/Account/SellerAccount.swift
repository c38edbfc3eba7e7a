package import MarketModel

/// Account of this computer's seller on one market; its identifier is a credential, like a password.
package nonisolated struct SellerAccount: Hashable, Sendable {
  package let identifier: SellerIdentifier
  /// The seller's name; nil until it was set.
  package var name: String?
  /// Public identity of the seller; nil until a registration's response contained it.
  package var seller: Seller?
  /// Products registered on this computer, oldest first, for markets without queries by seller.
  package var registered: [Product.ID]
  /// Whether the identifier was generated here, so that no question was asked with it before.
  package var isMadeHere: Bool

  package init(
    identifier: SellerIdentifier, name: String? = nil, seller: Seller? = nil,
    registered: [Product.ID] = [], isMadeHere: Bool = false
  ) {
    self.identifier = identifier
    self.name = name
    self.seller = seller
    self.registered = registered
    self.isMadeHere = isMadeHere
  }

  /// Records a registration and the seller in its response.
  mutating func didRegister(_ detail: ProductDetail) {
    // Without seller names all sellers share the guest's identity.
    if detail.product.seller.id != Seller.guest.id { seller = detail.product.seller }
    registered.append(detail.id)
  }

  /// `other` with the changes of this account; the registrations of both are combined.
  package func merged(into other: SellerAccount) -> SellerAccount {
    var merged = other
    merged.name = name ?? other.name
    merged.seller = seller ?? other.seller
    let known = Set(other.registered)
    merged.registered += registered.filter { !known.contains($0) }
    return merged
  }

  package var author: Author { .seller(identifier) }
}

/// Port to the seller's account in the settings folder.
package nonisolated protocol SellerAccountStore: Sendable {
  /// The account on this market; nil if nothing was sold yet.
  func known() async -> SellerAccount?

  /// The account on this market, created if necessary; nil if it could not be saved, so that nothing
  /// may be registered with it.
  func account() async -> SellerAccount?

  /// Merges an account into the saved one, to which another run may have added registrations.
  ///
  /// - Returns: the saved account; nil if that failed, as on a full disk.
  func save(_ account: SellerAccount) async -> SellerAccount?
}
