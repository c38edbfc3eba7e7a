/// What whoever runs a market may do beyond its sellers.
package protocol OperatedMarket: Sendable {
  /// Gives an identifier its public number and its name; an unknown one becomes a seller.
  ///
  /// Without a number it keeps its own or gets the next one, without a name it keeps its own or gets
  /// one made of the number. Throws `.invalid` for a name that breaks the rules.
  func setSeller(
    _ identifier: SellerIdentifier, number: Seller.ID?, name: String?
  ) async throws(RepositoryError) -> SellerSetting

  /// Deletes a product, whatever its password is, and answers with it; `.notFound` is thrown.
  func remove(_ id: Product.ID) async throws(RepositoryError) -> ProductDetail

  /// Refuses everything that a seller writes from now on, or takes it again; `.notFound` is thrown
  /// where nobody has the number.
  ///
  /// *Guest* is everybody who shows no identifier.
  func setBlocked(
    _ isBlocked: Bool, _ seller: Seller.ID
  ) async throws(RepositoryError) -> Seller
}

/// What became of giving a seller a number.
package enum SellerSetting: Hashable, Sendable {
  case set(Seller)
  /// Another seller has the number.
  case numberTaken
  /// The seller has products under this number already.
  case sells(as: Seller)
}

extension Seller.ID {
  /// The numbers that can be given to a seller.
  package static let assignable: ClosedRange<Int64> = 1...((1 << 28) - 1)
}
