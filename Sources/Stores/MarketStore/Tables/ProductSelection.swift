import MarketModel
import SQLiteKit
import StoreCore

/// The statement that finds the ids of one page.
///
/// The products of each state come from their own range of the order's index, and SQLite merges
/// the ranges as it goes; so each combination of filters costs what the page costs.
struct ProductSelection {
  let order: ProductOrder
  let states: [Int]
  let seller: Seller.ID?
  /// Where the page begins; nil is the first.
  let after: OrderKey?
  /// How many products to pass over from there.
  let passing: Int
  let limit: Int

  var sql: String {
    let arms =
      seller == nil ? states.map { "state = \($0)" } : [statesCondition + " AND seller = ?"]
    let columns = order.columns.joined(separator: ", ")
    let selects = arms.map { arm in
      "SELECT id, \(columns) FROM product INDEXED BY \(index) WHERE \(arm)\(range)"
    }
    let positions = order.columns.indices.map { String($0 + 2) }.joined(separator: ", ")
    return selects.joined(separator: " UNION ALL ") + " ORDER BY \(positions) LIMIT ? OFFSET ?"
  }

  var values: [SQLValue] {
    let key = after?.parameters ?? []
    let arms: [SQLValue] =
      seller.map { [.integer($0.rawValue)] + key } ?? states.flatMap { _ in key }
    return arms + [.integer(Int64(limit)), .integer(Int64(passing))]
  }

  private var index: String { seller == nil ? order.index : "product_of_seller" }

  private var statesCondition: String {
    "state IN (\(states.map(String.init).joined(separator: ", ")))"
  }

  private var range: String {
    guard after != nil else { return "" }
    let marks = order.columns.map { _ in "?" }.joined(separator: ", ")
    return " AND (\(order.columns.joined(separator: ", "))) > (\(marks))"
  }
}

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
