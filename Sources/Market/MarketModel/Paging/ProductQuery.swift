/// Query for products: search terms, bounds, sellers and order; a product matches where all parts do.
package struct ProductQuery: Hashable, Sendable {
  /// Search words, all of which must occur; empty for all products.
  package var text: String
  /// Phrases that must occur, with their spaces; none is empty.
  package var phrases: [String]
  /// Words or phrases that must not occur; none is empty.
  package var without: [String]
  package var price: PriceRange
  /// Accepted values of choice fields; no set is empty.
  package var choices: [ProductField: Set<String>]
  package var filters: Set<ProductFilter>
  /// Prefix of the place, in any case; empty for any place.
  package var place = ""
  /// Accepted sellers; empty for all.
  package var sellers: [Seller.ID]
  /// Earliest time of listing; nil for any.
  package var since: Timestamp?
  /// Only these products, in this order, without missing ones, at most `maxIDs`; nil for all.
  package var ids: [Product.ID]?
  package var order: ProductOrder

  /// Maximum products by number in one query; callers split longer lists.
  package static let maxIDs = 100
  /// Maximum sellers in one query.
  package static let maxSellers = 100
  /// Maximum phrases, and maximum excluded words, of one query.
  package static let maxTexts = 20

  package init(
    text: String = "", phrases: [String] = [], without: [String] = [],
    price: PriceRange = .any, currency: Currency? = nil, order: ProductOrder = .newest,
    filters: Set<ProductFilter> = [], sellers: [Seller.ID] = [], since: Timestamp? = nil,
    ids: [Product.ID]? = nil
  ) {
    self.text = text
    self.phrases = phrases
    self.without = without
    self.price = price
    choices = currency.map { [.currency: [$0.rawValue]] } ?? [:]
    self.order = order
    self.filters = filters
    self.sellers = sellers
    self.since = since
    self.ids = ids
  }
}

/// Inclusive bounds of the price to pay, in hundredths of any currency unless the query has one; nil
/// for no bound.
package struct PriceRange: Hashable, Sendable {
  package var minimum: Int64?
  package var maximum: Int64?

  package init(minimum: Int64? = nil, maximum: Int64? = nil) {
    self.minimum = minimum
    self.maximum = maximum
  }

  package static let any = PriceRange()

  package func contains(_ hundredths: Int64) -> Bool {
    (minimum ?? .min) <= hundredths && hundredths <= (maximum ?? .max)
  }
}

/// Order of a list; all but the newest put products in stock first, in all currencies, then sold-out
/// ones.
package enum ProductOrder: Hashable, Sendable, CaseIterable {
  /// Highest id first.
  case newest
  /// Lowest price to pay first, grouped by currency.
  case cheapest
  /// Highest price to pay first, grouped by currency.
  case priceDescending
  /// Largest discount in percent of the price first.
  case biggestDiscount

  /// Whether a product precedes another one, for sorting on the client: except for `newest`, in stock
  /// first, then by currency.
  package func precedes(_ one: Product, _ other: Product) -> Bool {
    guard self != .newest else { return one.id > other.id }
    if one.isSoldOut != other.isSoldOut { return other.isSoldOut }
    guard let first = one.pricing.price, let second = other.pricing.price else {
      let bothUnreadable = one.pricing.price == nil && other.pricing.price == nil
      return bothUnreadable ? one.id > other.id : one.pricing.price != nil
    }
    let (key, otherKey) = (key(of: first), key(of: second))
    return key == otherKey ? one.id > other.id : key < otherKey
  }

  /// Returns the sort key of a price; the won comes first.
  private func key(of price: Price) -> (String, Int64) {
    let currency = price.toPay.currency
    let group = currency == .krw ? "" : currency.rawValue
    return switch self {
    case .newest, .cheapest: (group, price.toPay.hundredths)
    case .priceDescending: (group, -price.toPay.hundredths)
    case .biggestDiscount: ("", -Int64(price.discountPercent))
    }
  }
}

/// Filter of a list.
package enum ProductFilter: Hashable, Sendable, CaseIterable {
  case inStock
  case reduced
  /// In stock and not reserved.
  case available
  case reserved
  /// Not reserved, in stock or not.
  case unreserved
  /// Sold out.
  case sold

  /// Filters on stock, of which only one is set at a time.
  package static let ofStock: [ProductFilter] = [.inStock, .available, .reserved, .sold]
  /// Filters that screens offer.
  package static let offered: [ProductFilter] = [.inStock, .reduced, .available, .reserved, .sold]

  package func passes(_ product: Product) -> Bool {
    switch self {
    case .inStock: !product.isSoldOut
    case .reduced: product.pricing.price?.isReduced == true
    case .available: product.isAvailable
    case .reserved: product.isReserved
    case .unreserved: !product.isReserved
    case .sold: product.isSoldOut
    }
  }
}

extension Set<ProductFilter> {
  /// Adds a filter in place of those that it excludes, or removes it where it is set.
  package mutating func toggle(_ filter: ProductFilter) {
    guard remove(filter) == nil else { return }
    if ProductFilter.ofStock.contains(filter) { subtract(ProductFilter.ofStock) }
    insert(filter)
  }
}

extension ProductQuery {
  /// Currency of the price; nil for all.
  package var currency: Currency? {
    get { choices[.currency]?.first.map(Currency.init) }
    set { choices[.currency] = newValue.map { [$0.rawValue] } }
  }

  /// Whether any part restricts the products.
  package var isNarrowed: Bool { !parts.isEmpty }

  /// The query for all products, in the same order.
  package var unnarrowed: ProductQuery { ProductQuery(order: order) }

  /// Whether the text is not blank but has nothing to search for, only control characters and marks,
  /// so that nothing matches.
  package var findsNothing: Bool {
    !text.allSatisfy(\.isWhitespace) && text.unicodeScalars.allSatisfy(Self.cannotBeLookedFor)
  }

  private static func cannotBeLookedFor(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .nonspacingMark, .spacingMark, .enclosingMark: true
    default: scalar.properties.isWhitespace
    }
  }
}
