/// Query for products: what must be in their texts, bounds, sellers and order; a product matches where
/// all of it holds.
package struct ProductQuery: Hashable, Sendable {
  /// Text of the search: all its words must occur; empty is all.
  package var text: String
  /// Runs of characters that must occur as they are, with their blanks; none is empty.
  package var phrases: [String]
  /// Words that must not occur; none is empty.
  package var without: [String]
  package var price: PriceRange
  /// Only what has one of these values in each of these fields, which are choices; no set is empty.
  package var choices: [ProductField: Set<String>]
  package var filters: Set<ProductFilter>
  /// How the place begins, in any case; empty is anywhere.
  package var place = ""
  /// Only the products of these sellers; empty is all.
  package var sellers: [Seller.ID]
  /// Only what was registered at this time or later.
  package var since: Timestamp?
  /// Just these products, in this order, at most `maxIDs`; nil is all.
  ///
  /// What is missing is left out.
  package var ids: [Product.ID]?
  package var order: ProductOrder

  /// Products that may be asked for by their numbers at once.
  package static let maxIDs = 100
  /// Sellers that may be asked for at once.
  package static let maxSellers = 100
  /// Phrases, and words that must not occur, that one query may have of each.
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

/// Bounds of the price to pay, in hundredths, both included; without a currency they apply to each
/// currency by its own numbers.
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

/// The orders a market can be read in.
///
/// In all but the newest, what is in stock stands first, in all currencies, then what is sold out.
package enum ProductOrder: Hashable, Sendable, CaseIterable {
  /// Highest id first.
  case newest
  /// Lowest price to pay first, grouped by currency.
  case cheapest
  /// Highest price to pay first, grouped by currency.
  case priceDescending
  /// Largest discount in percent of the price first.
  case biggestDiscount

  /// Whether a product stands before another one where products at hand are put in order: by price what
  /// is in stock stands first, then each currency by itself.
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

  /// By what prices are compared; won come first.
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

/// The conditions a list can be narrowed by.
package enum ProductFilter: Hashable, Sendable, CaseIterable {
  case inStock
  case reduced
  /// In stock and promised to nobody.
  case available
  case reserved
  /// Not reserved, in stock or not.
  case unreserved
  /// None is left.
  case sold

  /// Those on the stock, of which one is chosen at a time.
  package static let ofStock: [ProductFilter] = [.inStock, .available, .reserved, .sold]
  /// Those that screens offer.
  package static let offered: [ProductFilter] = [.inStock, .reduced, .available, .reserved, .sold]

  /// Whether a product passes.
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
  /// Sets a filter instead of those that it excludes, or takes it away where it is set.
  package mutating func toggle(_ filter: ProductFilter) {
    guard remove(filter) == nil else { return }
    if ProductFilter.ofStock.contains(filter) { subtract(ProductFilter.ofStock) }
    insert(filter)
  }
}

extension ProductQuery {
  /// Only prices in this currency.
  package var currency: Currency? {
    get { choices[.currency]?.first.map(Currency.init) }
    set { choices[.currency] = newValue.map { [$0.rawValue] } }
  }

  /// Whether anything keeps products out.
  package var isNarrowed: Bool { !parts.isEmpty }

  /// The query for all products, in the same order.
  package var unnarrowed: ProductQuery { ProductQuery(order: order) }

  /// Whether the text asks for nothing that can be looked for, and so finds nothing: it is not blank,
  /// but has control characters and marks alone.
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
