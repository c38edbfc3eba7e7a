import MarketModel
import StoreCore

/// The statement that finds the ids of one page.
///
/// The products of each state come from their own range of the order's index, no more of them than
/// the page could need, and are merged; so each combination of filters costs what the page costs.
struct PageSelection {
  var order: ProductOrder
  var states: [Int]
  var seller: Seller.ID?
  /// Where the page begins; nil is the first.
  var after: OrderKey?
  /// How many products to pass over from there.
  var passing = 0
  var limit: Int

  /// - Parameter parameters: what the statement's values are added to.
  /// - Returns: a query of the columns `id` and those of the order, ordered.
  func sql(_ parameters: inout StatementParameters) -> String {
    let arms = arms.map { arm in
      """
      (SELECT \(columns) FROM product WHERE \(arm)\(conditionAfter(&parameters))
      ORDER BY \(order.columns.joined(separator: ", ")) LIMIT \(limit + passing))
      """
    }
    return """
      SELECT \(columns) FROM (\(arms.joined(separator: " UNION ALL "))) AS arm
      ORDER BY \(order.columns.joined(separator: ", ")) LIMIT \(limit) OFFSET \(passing)
      """
  }

  private var columns: String { (["id"] + order.columns).joined(separator: ", ") }

  /// One for each range of an index.
  private var arms: [String] {
    guard let seller else { return states.map { "state = \($0)" } }
    let states = states.map(String.init).joined(separator: ", ")
    return ["seller = \(seller.rawValue) AND state IN (\(states))"]
  }

  /// The range of the order after `after`.
  func conditionAfter(_ parameters: inout StatementParameters) -> String {
    guard let after else { return "" }
    let marks = after.values.map { value in
      switch value {
      case .number(let number): parameters.add(.integer(number))
      case .currency(let currency): parameters.add(.text(currency.rawValue))
      }
    }
    return " AND (\(order.columns.joined(separator: ", "))) > (\(marks.joined(separator: ", ")))"
  }
}
