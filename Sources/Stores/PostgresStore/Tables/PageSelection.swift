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
  private func conditionAfter(_ parameters: inout StatementParameters) -> String {
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

// MARK: Finds of words

extension PageSelection {
  /// How many products of an order are looked at one by one: far more than are needed where more
  /// than 10,000 of a million match, unless those that match stand together elsewhere.
  private static let walkLength = 20_000

  /// A query of the columns `id` and those of the order that goes along the order until enough
  /// match; it may give up before.
  func walk(for search: WordSearch, _ parameters: inout StatementParameters) -> String {
    var near = self
    (near.passing, near.limit) = (0, Self.walkLength)
    // Without OFFSET 0 a planner may rather go through all that matches first.
    return """
      SELECT * FROM (\(near.sql(&parameters))) AS near
      WHERE EXISTS (SELECT 1 FROM product_search
        WHERE product = near.id AND \(search.condition(usesIndex: false, &parameters)) OFFSET 0)
      ORDER BY \(order.columns.joined(separator: ", ")) LIMIT \(limit) OFFSET \(passing)
      """
  }

  /// A query of the columns `id` and those of the order that looks the finds up in the index and
  /// sorts them.
  func finds(of search: WordSearch, _ parameters: inout StatementParameters) -> String {
    let columns = order.columns.joined(separator: ", ")
    return """
      SELECT id, \(columns) FROM \(matches(search, &parameters))
      ORDER BY \(columns) LIMIT \(limit) OFFSET \(passing)
      """
  }

  /// How many there are, up to a limit.
  func count(
    of search: WordSearch, atMost limit: Int?, _ parameters: inout StatementParameters
  ) -> String {
    """
    SELECT count(*) FROM (
      SELECT 1 FROM \(matches(search, &parameters)) LIMIT \(limit.map(String.init) ?? "ALL")) AS counted
    """
  }

  /// The tables and conditions of all that matches; products themselves are read only where a
  /// filter or the order asks.
  ///
  /// `OFFSET 0` keeps planners from going through all products in their order instead, in the hope
  /// of soon meeting enough that match.
  private func matches(
    _ search: WordSearch, _ parameters: inout StatementParameters
  ) -> String {
    let condition = search.condition(usesIndex: true, &parameters)
    let found = "SELECT product FROM product_search WHERE \(condition) OFFSET 0"
    guard order != .newest || states.count < 4 || seller != nil else {
      let range = conditionAfter(&parameters)
      return """
        (SELECT product AS id, -product AS newness FROM (\(found)) AS found) AS listed
        WHERE true\(range)
        """
    }
    return """
      (\(found)) AS found JOIN product ON product.id = found.product
      WHERE true\(filter)\(conditionAfter(&parameters))
      """
  }

  private var filter: String {
    var text = ""
    if states.count < 4 {
      text += " AND state IN (\(states.map(String.init).joined(separator: ", ")))"
    }
    if let seller { text += " AND seller = \(seller.rawValue)" }
    return text
  }
}
