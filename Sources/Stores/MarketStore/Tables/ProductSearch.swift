import MarketModel
import SQLiteKit
import StoreCore

/// The statement that finds the ids of one page of a search among few finds, or in the order in
/// which the search index has them.
struct ProductSearch {
  let expression: String
  var order = ProductOrder.newest
  var states = Set<ProductFilter>().states
  var after: OrderKey?
  var passing = 0
  /// Negative for all.
  let limit: Int

  /// In the newest order the index gives its rows in that order, and no other table is read unless
  /// a filter asks; in the others all finds are sorted.
  var sql: String {
    let order = order == .newest ? "product_search.rowid DESC" : columns
    return """
      SELECT product_search.rowid FROM product_search\(readsProducts ? Self.join : "")
      WHERE product_search MATCH ?\(statesCondition)\(range) ORDER BY \(order) LIMIT ? OFFSET ?
      """
  }

  var values: [SQLValue] {
    let key = after?.parameters ?? []
    return [.text(expression)] + key + [.integer(Int64(limit)), .integer(Int64(passing))]
  }

  /// Written so that the finds are gone through, not the products.
  static let join = " CROSS JOIN product ON product.id = product_search.rowid"

  private var readsProducts: Bool { isFiltered || order != .newest }

  private var isFiltered: Bool { states.count < 4 }

  private var columns: String { order.columns.joined(separator: ", ") }

  private var statesCondition: String {
    guard isFiltered else { return "" }
    return " AND " + Self.condition(on: states)
  }

  static func condition(on states: [Int]) -> String {
    "state IN (\(states.map(String.init).joined(separator: ", ")))"
  }

  private var range: String {
    guard after != nil else { return "" }
    guard order != .newest else { return " AND product_search.rowid < -?" }
    return " AND (\(columns)) > (\(order.columns.map { _ in "?" }.joined(separator: ", ")))"
  }
}

/// The statement that counts the finds of a search.
///
/// They are gone through from the oldest on, which costs the index a quarter less than the other way.
struct ProductCount {
  let expression: String
  var states = Set<ProductFilter>().states
  /// The ids among which to count.
  var ids = Int64.min...Int64.max
  /// Where to stop; nil counts all, which costs a tenth less for each than with any limit.
  let limit: Int?

  var sql: String {
    let isFiltered = states.count < 4
    let finds = """
      FROM product_search\(isFiltered ? ProductSearch.join : "")
      WHERE product_search MATCH ? AND product_search.rowid BETWEEN ? AND ?
        \(isFiltered ? "AND " + ProductSearch.condition(on: states) : "")
      """
    guard limit != nil else { return "SELECT count(*) " + finds }
    return "SELECT count(*) FROM (SELECT 1 \(finds) LIMIT ?)"
  }

  var values: [SQLValue] {
    [.text(expression), .integer(ids.lowerBound), .integer(ids.upperBound)]
      + (limit.map { [.integer(Int64($0))] } ?? [])
  }
}
