import MarketModel
import SQLiteKit

/// A place between two products of an order: the key of the one before it.
struct OrderKey: Hashable {
  let order: ProductOrder
  let values: [SQLValue]

  /// The key of a product.
  init?(of product: Product, in order: ProductOrder) {
    guard let price = product.pricing.price else { return nil }
    self.order = order
    let newness = SQLValue.integer(-product.id.rawValue)
    let currency = SQLValue.text(price.currency.rawValue)
    values =
      switch order {
      case .newest: [newness]
      case .cheapest: [currency, .integer(price.toPay.hundredths), newness]
      case .dearest: [currency, .integer(-price.toPay.hundredths), newness]
      case .mostReduced: [.integer(-Int64(price.discountPercent)), newness]
      }
  }

  /// The key in a row that a `ProductSelection` found: its columns after the id.
  init(_ row: borrowing Row, in order: ProductOrder) {
    var values: [SQLValue] = []
    for (place, column) in order.columns.enumerated() {
      let place = Int32(place + 1)
      values.append(column == "currency" ? .text(row.text(place)) : .integer(row.integer(place)))
    }
    self.order = order
    self.values = values
  }

  /// The place before the newest product whose id is below `id`.
  init(newestBelow id: Int64) {
    order = .newest
    values = [.integer(-id)]
  }

  /// Reads a cursor; nil where no store of this kind has written it for this order.
  init?(_ cursor: PageCursor, in order: ProductOrder) {
    let parts = cursor.rawValue.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.first == order.letter[...], parts.count == order.columns.count + 1 else {
      return nil
    }
    var values: [SQLValue] = []
    for (column, part) in zip(order.columns, parts.dropFirst()) {
      if column == "currency" {
        guard StorageRules.currencies.contains(Currency(rawValue: String(part))) else { return nil }
        values.append(.text(String(part)))
      } else {
        guard let number = Int64(part) else { return nil }
        values.append(.integer(number))
      }
    }
    self.order = order
    self.values = values
  }

  var cursor: PageCursor {
    let parts = values.map { value in
      switch value {
      case .integer(let number): String(number)
      case .text(let text): text
      case .blob, .null: ""
      }
    }
    return PageCursor(rawValue: ([order.letter] + parts).joined(separator: "."))
  }
}
