import MarketModel
import SQLiteKit
import StoreCore

/// Reader of pages of queries with words.
struct SearchQueries {
  private let connection: Connection

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// One page of a query with words, or `.unknownCursor` for one that nobody was given.
  ///
  /// Few finds are looked up and sorted. Of many, all ids are collected first, and then the order's
  /// own index is walked until the page is full; that costs as much however the finds lie in the
  /// order.
  ///
  /// `known` says how many products the expression finds in all states, up to one above the bound; nil
  /// where that is still to be counted.
  func page(
    _ request: PageRequest, for expression: String, finds known: Int?
  ) throws(DatabaseError) -> Outcome<ProductPage> {
    let order = request.query.order
    let states = request.query.filters.states
    let size = request.boundedSize
    var after: OrderKey?
    if case .after(let cursor) = request.position {
      guard let key = OrderKey(cursor, in: order) else { return .failure(.unknownCursor) }
      after = key
    }
    let finds: Int
    if let known {
      finds = known
    } else {
      finds = try count(ProductCount(expression: expression, limit: ProductTotal.bound + 1))
    }
    var search = ProductSearch(expression: expression, limit: size + 1)
    search.order = order
    search.states = states
    search.after = after
    search.passing = request.offset
    if finds > ProductTotal.bound, order != .newest || states.count < 4 {
      return .success(try walk(search, size: size))
    }
    let ids = try connection.all(search.sql, search.values) { row throws(DatabaseError) in
      try row.productID(0).orDamaged()
    }
    var total = finds
    if states.count < 4 {
      total = try count(
        ProductCount(expression: expression, states: states, limit: ProductTotal.bound + 1))
    }
    return .success(
      try PageQueries(connection).page(
        of: ids, size: size, order: order, total: ProductTotal(bounded: total)))
  }

  /// The number of products of a filter that a query with words finds, whatever that costs.
  func exactTotal(
    of expression: String, in states: [Int]
  ) throws(DatabaseError) -> Int {
    try count(try finds(of: expression), in: states, atMost: Int.max)
  }

  /// Counts finds, up to a limit.
  func count(_ count: ProductCount) throws(DatabaseError) -> Int {
    Int(try connection.first(count.sql, count.values) { row in row.integer(0) } ?? 0)
  }

  // MARK: Many finds

  private func walk(_ search: ProductSearch, size: Int) throws(DatabaseError) -> ProductPage {
    let finds = try finds(of: search.expression)
    let limit = ProductTotal.bound + 1
    // Without a filter it is known that there are more than the bound.
    let total =
      search.states.count < 4 ? try count(finds, in: search.states, atMost: limit) : limit
    let products = ProductSelection(
      order: search.order, states: search.states, seller: nil, after: search.after, passing: 0,
      limit: -1)
    var passed = 0
    var ids: [Product.ID] = []
    try connection.forEach(products.sql, products.values) { row throws(DatabaseError) in
      guard finds.contains(row.integer(0)) else { return true }
      passed += 1
      if passed > search.passing { ids.append(try row.productID(0).orDamaged()) }
      return ids.count < search.limit
    }
    return try PageQueries(connection).page(
      of: ids, size: size, order: search.order, total: ProductTotal(bounded: total))
  }

  private func finds(of expression: String) throws(DatabaseError) -> ProductIDSet {
    var finds = ProductIDSet()
    let search = ProductSearch(expression: expression, limit: -1)
    try connection.forEach(search.sql, search.values) { row in
      finds.insert(row.integer(0))
      return true
    }
    return finds
  }

  private func count(
    _ finds: ProductIDSet, in states: [Int], atMost limit: Int
  ) throws(DatabaseError) -> Int {
    let products = ProductSelection(
      order: .newest, states: states, seller: nil, after: nil, passing: 0, limit: -1)
    var count = 0
    try connection.forEach(products.sql, products.values) { row in
      if finds.contains(row.integer(0)) { count += 1 }
      return count < limit
    }
    return count
  }
}

/// The statement that finds the ids of one page of a search among few finds, or in the order in
/// which the search index has them.
private struct ProductSearch {
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

/// A set of product ids, one bit each.
private struct ProductIDSet {
  /// Other ids are never in it.
  ///
  /// A forged file can then ask for 32 MB and not for all memory; a market is far from so many
  /// products.
  private static let range = StoredNumbers.keptIDs

  private var words: [UInt64] = []

  mutating func insert(_ id: Int64) {
    guard Self.range.contains(id) else { return }
    let word = Int(id >> 6)
    if word >= words.count {
      words += repeatElement(0, count: max(word + 1 - words.count, words.count))
    }
    words[word] |= 1 << UInt64(id & 63)
  }

  func contains(_ id: Int64) -> Bool {
    let word = Int(clamping: id >> 6)
    guard id >= 0, word < words.count else { return false }
    return words[word] & 1 << UInt64(id & 63) != 0
  }
}
