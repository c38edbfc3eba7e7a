import MarketModel
import SQLiteKit
import StoreCore

/// Reads pages of queries with words.
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

  /// How many products of a filter a query with words finds, whatever that costs.
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
