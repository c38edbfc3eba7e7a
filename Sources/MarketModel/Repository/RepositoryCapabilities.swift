/// What a repository can do; screens offer that and no more.
package struct RepositoryCapabilities: Hashable, Sendable {
  /// How the page after another is named.
  package enum Paging: Hashable, Sendable {
    case cursor
    case number
  }

  /// Which currencies a product may be registered in.
  package enum Currencies: Hashable, Sendable {
    case only([Currency])
    case any(suggested: [Currency])
  }

  package var orders: [ProductOrder]
  package var filters: [ProductFilter]
  package var searches: Bool
  package var paging: Paging
  /// Whether `ProductQuery.seller` is answered.
  package var queriesBySeller: Bool
  /// Whether an edit can change the pictures.
  package var changesPictures: Bool
  /// Whether an edit that names a version is refused when the product has changed since.
  package var hasVersions: Bool
  /// Whether a registration that is sent twice with one key registers once.
  package var isIdempotent: Bool
  package var currencies: Currencies

  package init(
    orders: [ProductOrder], filters: [ProductFilter], searches: Bool, paging: Paging,
    queriesBySeller: Bool, changesPictures: Bool, hasVersions: Bool, isIdempotent: Bool,
    currencies: Currencies
  ) {
    self.orders = orders
    self.filters = filters
    self.searches = searches
    self.paging = paging
    self.queriesBySeller = queriesBySeller
    self.changesPictures = changesPictures
    self.hasVersions = hasVersions
    self.isIdempotent = isIdempotent
    self.currencies = currencies
  }

  /// Everything: what our own stores can do.
  package static let full = RepositoryCapabilities(
    orders: ProductOrder.allCases, filters: ProductFilter.allCases, searches: true,
    paging: .cursor, queriesBySeller: true, changesPictures: true, hasVersions: true,
    isIdempotent: true, currencies: .only([.krw, .usd]))
}
