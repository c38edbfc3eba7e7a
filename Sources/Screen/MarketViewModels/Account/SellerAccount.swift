package import MarketModel

/// Account of who sells from here on one market: the identifier is a credential, like a password.
package nonisolated struct SellerAccount: Hashable, Sendable {
  package let identifier: SellerIdentifier
  /// The name under which products are sold; nil until it was asked for.
  package var name: String?
  /// Who that is for everyone, as far as a registration's answer told it.
  package var seller: Seller?
  /// What was registered from here, for markets that do not tell products by seller.
  package var registered: [Product.ID]
  /// Whether the identifier was made here, so that nothing was asked under it before.
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

  /// Remembers what was registered, and who the market says that sells it.
  mutating func didRegister(_ detail: ProductDetail) {
    // Where nobody has a name, everybody sells as the same guest.
    if detail.product.seller.id != Seller.guest.id { seller = detail.product.seller }
    registered.append(detail.id)
  }

  /// The account with what is new in this one; registrations of both are kept, each once.
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

/// The port to the seller's account in the settings folder.
package nonisolated protocol SellerAccountStore: Sendable {
  /// The account of this market; nil where nothing was sold from here yet.
  func known() async -> SellerAccount?

  /// The account of this market, made where there is none; nil where it could not be kept, so that
  /// nothing may be registered under it.
  func account() async -> SellerAccount?

  /// Adds what is new about an account to what is kept of it: another run may have registered
  /// something meanwhile.
  ///
  /// - Returns: the account as it is kept now; nil where that failed, as on a full disk.
  func save(_ account: SellerAccount) async -> SellerAccount?
}
