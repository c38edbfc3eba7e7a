import MarketModel
import SQLiteKit
import StoreCore

extension OrderKey {
  /// The key in a row that a `ProductSelection` found: its columns after the id.
  init(_ row: borrowing Row, in order: ProductOrder) {
    var values: [Value] = []
    for (place, column) in order.columns.enumerated() {
      let place = Int32(place + 1)
      values.append(
        column == "currency"
          ? .currency(Currency(rawValue: row.text(place))) : .number(row.integer(place)))
    }
    self.init(values, in: order)
  }

  /// What its values are bound as.
  var parameters: [SQLValue] {
    values.map { value in
      switch value {
      case .number(let number): .integer(number)
      case .currency(let currency): .text(currency.rawValue)
      }
    }
  }
}
