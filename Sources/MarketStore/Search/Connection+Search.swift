import MarketModel
import SQLiteKit

extension Connection {
  /// One page of a query with words, or `.invalid` for a cursor that nobody was given.
  ///
  /// `expression` is what the index is to be asked, from `ProductGrams`.
  func search(
    _ request: PageRequest, for expression: String
  ) throws(DatabaseError) -> Outcome<ProductPage> {
    let order = request.query.order
    var after: OrderKey?
    if case .after(let cursor) = request.position {
      guard let key = OrderKey(cursor, in: order) else { return .failure(.invalid([])) }
      after = key
    }
    let total = try total(of: request.query, for: expression)
    let search = ProductSearch(
      expression: expression, order: order, states: request.query.filters.states, after: after,
      passing: request.offset, limit: request.boundedSize + 1)
    let ids = try all(search.sql, search.values) { row in Product.ID(rawValue: row.integer(0)) }
    return .success(try page(of: ids, size: request.boundedSize, order: order, total: total))
  }

  private func total(
    of query: ProductQuery, for expression: String
  ) throws(DatabaseError) -> ProductTotal {
    let search = ProductSearch(
      expression: expression, order: .newest, states: query.filters.states, after: nil,
      passing: 0, limit: ProductTotal.bound + 1)
    let count = try first("SELECT count(*) FROM (\(search.sql))", search.values) { row in
      row.integer(0)
    }
    return ProductTotal(bounded: Int(count ?? 0))
  }
}

/// The statement that finds the ids of one page of a search.
struct ProductSearch {
  let expression: String
  let order: ProductOrder
  let states: [Int]
  let after: OrderKey?
  let passing: Int
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
    [.text(expression)] + rangeValues + [.integer(Int64(limit)), .integer(Int64(passing))]
  }

  private static let join = " CROSS JOIN product ON product.id = product_search.rowid"

  private var readsProducts: Bool { states.count < 4 || order != .newest }

  private var columns: String { order.columns.joined(separator: ", ") }

  private var statesCondition: String {
    guard states.count < 4 else { return "" }
    return " AND state IN (\(states.map(String.init).joined(separator: ", ")))"
  }

  private var range: String {
    guard after != nil else { return "" }
    guard order != .newest else { return " AND product_search.rowid < -?" }
    return " AND (\(columns)) > (\(order.columns.map { _ in "?" }.joined(separator: ", ")))"
  }

  private var rangeValues: [SQLValue] { after?.values ?? [] }
}
