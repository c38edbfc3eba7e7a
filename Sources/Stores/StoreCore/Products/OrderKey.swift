import MarketModel

/// A place between two products of an order: the key of the one before it.
package struct OrderKey: Hashable, Sendable {
  /// What one of the order's columns holds.
  package enum Value: Hashable, Sendable {
    case number(Int64)
    case currency(Currency)
  }

  package let order: ProductOrder
  /// As many as the order has columns.
  package let values: [Value]

  /// A key as it stands in a row.
  package init(_ values: [Value], in order: ProductOrder) {
    self.order = order
    self.values = values
  }

  /// The key of a product.
  package init?(of product: Product, in order: ProductOrder) {
    guard let price = product.pricing.price else { return nil }
    let newness = Value.number(0 &- product.id.rawValue)
    let currency = Value.currency(price.currency)
    let values: [Value] =
      switch order {
      case .newest: [newness]
      case .cheapest: [currency, .number(price.toPay.hundredths), newness]
      case .priceDescending: [currency, .number(-price.toPay.hundredths), newness]
      case .biggestDiscount: [.number(-Int64(price.discountPercent)), newness]
      }
    self.init(values, in: order)
  }

  /// The place before the newest product whose id is below `id`.
  package init(newestBelow id: Int64) {
    self.init([.number(0 &- id)], in: .newest)
  }

  /// Reads a cursor; nil where no store of this kind has written it for this order.
  package init?(_ cursor: PageCursor, in order: ProductOrder) {
    let parts = cursor.rawValue.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.first == order.letter[...], parts.count == order.columns.count + 1 else {
      return nil
    }
    var values: [Value] = []
    for (column, part) in zip(order.columns, parts.dropFirst()) {
      if column == "currency" {
        let currency = Currency(rawValue: String(part))
        guard StorageRules.currencies.contains(currency) else { return nil }
        values.append(.currency(currency))
      } else {
        guard let number = Int64(part) else { return nil }
        values.append(.number(number))
      }
    }
    self.init(values, in: order)
  }

  package var cursor: PageCursor {
    let parts = values.map { value in
      switch value {
      case .number(let number): String(number)
      case .currency(let currency): currency.rawValue
      }
    }
    return PageCursor(rawValue: ([order.letter] + parts).joined(separator: "."))
  }
}

/// How the products of an order are found: by columns that all rise.
extension ProductOrder {
  /// Key columns of the index of this order, after the state; the last makes a key unique.
  package var columns: [String] {
    switch self {
    case .newest: ["newness"]
    case .cheapest: ["currency", "to_pay", "newness"]
    case .priceDescending: ["currency", "dearness", "newness"]
    case .biggestDiscount: ["reduction", "newness"]
    }
  }

  package var index: String {
    switch self {
    case .newest: "product_newest"
    case .cheapest: "product_cheapest"
    case .priceDescending: "product_dearest"
    case .biggestDiscount: "product_reduced"
    }
  }

  /// One letter for cursors.
  var letter: String {
    switch self {
    case .newest: "n"
    case .cheapest: "c"
    case .priceDescending: "d"
    case .biggestDiscount: "r"
    }
  }
}
