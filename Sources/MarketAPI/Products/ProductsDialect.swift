import MarketModel

/// The dialect of 2022 and 2023 (v2): `/api/products`, sellers by their identifier, deletion in two
/// steps.
///
/// The key `discounted_price` is the amount taken off. Servers of either year read what clients of
/// both send; what they answer holds the keys of both, but for dates and the deletion's route.
package struct ProductsDialect: MarketDialect {
  package enum Variant: Hashable, Sendable, CaseIterable {
    /// Dates end in `T00:00:00.00`; a key is asked for at `/secret`.
    case y2022
    /// Dates end in `T00:00:00`; a path is asked for at `/archived`.
    case y2023
  }

  /// Products a page where a client does not say.
  static let defaultPageSize = 20

  package let variant: Variant

  package init(variant: Variant) {
    self.variant = variant
  }

  package func capabilities(extended: Bool) -> RepositoryCapabilities {
    if extended { return .full }
    return RepositoryCapabilities(
      orders: [.newest], filters: [], searches: variant == .y2023, paging: .number,
      queriesBySeller: false, changesPictures: false, hasVersions: false, isIdempotent: false,
      currencies: .only([.krw, .usd]))
  }

  package func patch(
    _ patch: ProductPatch, changing current: Price
  ) throws(RepositoryError) -> ProductPatch {
    try patch.namingAmount(changing: current)
  }

  /// The form of the first step of deleting that servers of this year have.
  package var deletionRoute: DeletionRoute { variant == .y2022 ? .secret : .archived }

  var dateForm: WireDate.Form { variant == .y2022 ? .fraction : .seconds }

  var failures: FailureWriting {
    FailureWriting(
      names: .products, wrongPassword: .unauthorized, notOwner: .forbidden,
      tooManyAttempts: .tooManyRequests, tooManyRequests: .tooManyRequests,
      marketFull: .insufficientStorage, blocked: .forbidden, keyReused: .unprocessableContent)
  }
}
