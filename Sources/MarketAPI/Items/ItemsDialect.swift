import MarketModel

/// The dialect of 2021 (v1): `/items/:page` and `/item/:id`, a password for each product, no sellers.
///
/// A page has 20 items and no count; an empty page is the end. Prices are whole units; the key
/// `discounted_price` is the price to pay.
package struct ItemsDialect: MarketDialect {
  /// Items a page; v1 clients cannot ask for another number.
  package static let pageSize = 20

  package init() {}

  package func capabilities(extended: Bool) -> RepositoryCapabilities {
    RepositoryCapabilities(
      orders: [.newest], filters: [], searches: false, paging: .number, queriesBySeller: false,
      changesPictures: true, hasVersions: false, isIdempotent: false,
      currencies: .any(suggested: ["KRW", "USD", "JPY", "EUR", "CNY", "GBP"].map(Currency.init)))
  }

  package func patch(
    _ patch: ProductPatch, changing current: Price
  ) throws(RepositoryError) -> ProductPatch {
    try patch.namingPriceToPay(changing: current)
  }

  var failures: FailureWriting {
    FailureWriting(
      names: .items, wrongPassword: .notFound, notOwner: .notFound, tooManyAttempts: .notFound,
      tooManyRequests: .badRequest, marketFull: .badRequest, blocked: .badRequest,
      keyReused: .badRequest)
  }
}
