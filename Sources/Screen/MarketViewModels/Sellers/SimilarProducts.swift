internal import MarketModel

/// Products that a buyer of another one may want instead: of its category, near it, at about its price.
enum SimilarProducts {
  /// Prices from a quarter of the product's to four times as much are similar.
  private static let factor: Int64 = 4

  /// Returns the query for products similar to one; nil where it has no category or the market cannot
  /// query that.
  static func query(to product: Product, in market: RepositoryCapabilities) -> ProductQuery? {
    guard let category = product.category, market.parts.contains(.choice(.category)) else {
      return nil
    }
    var query = ProductQuery()
    query.choices[.category] = [category.rawValue]
    if let price = product.pricing.price?.toPay, market.parts.contains(.price) {
      query.price = PriceRange(
        minimum: price.hundredths / factor,
        maximum: price.hundredths.multipliedReportingOverflow(by: factor).partialValue)
    }
    if market.parts.contains(.filter(.available)) { query.filters = [.available] }
    return query
  }

  /// Returns those that others sell now in the same currency: products near the given one first, of these
  /// the nearest in price.
  static func sorted(_ products: [Product], like product: Product) -> [Product] {
    guard let wanted = product.pricing.price?.toPay else { return [] }
    let region = region(of: product)
    return products.filter { other in
      other.seller.id != product.seller.id && other.id != product.id && other.isAvailable
        && other.pricing.price?.toPay.currency == wanted.currency
    }
    .map { other -> (product: Product, steps: Int, distance: Int64) in
      let price = other.pricing.price?.toPay.hundredths ?? 0
      let isNear = region != nil && self.region(of: other) == region
      return (other, isNear ? 0 : 1, abs(price - wanted.hundredths))
    }
    .sorted { ($0.steps, $0.distance) < ($1.steps, $1.distance) }
    .map(\.product)
  }

  /// First word of a product's place: the city of most.
  private static func region(of product: Product) -> Substring? {
    product.place?.split { $0 == " " || $0 == "," }.first
  }
}
