import MarketModel
import SQLiteKit
import StoreCore

/// Reader of pages of text queries.
///
/// - Throws: every call throws the `StoreError` of its statement.
struct SearchQueries {
  /// Minimum highest id of a market whose matches are counted in two halves.
  static let smallestToDivide: Int64 = 1 << 13

  private let connection: SQLiteDatabase
  private let ordered: OrderedProducts

  /// `rows` are the rows of pages that ask for them.
  init(
    _ connection: SQLiteDatabase, for request: PageRequest = PageRequest(),
    keeping rows: ListedRowCache? = nil
  ) {
    self.connection = connection
    ordered = OrderedProducts(connection, for: request, keeping: rows)
  }

  /// One page of a text query.
  ///
  /// Few matches are looked up and sorted. Of many, all ids are collected first, and then the order's own
  /// index is read until the page is full, at a cost that does not depend on where the matches are in the
  /// order.
  ///
  /// `known` is the number of matches of the expression alone, up to one above the bound; nil where they
  /// are still to be counted, in the order of the index to the request's bound, else to 10,001.
  /// - Throws: `.damaged` for a row with an invalid id; the statement's other `StoreError`s.
  func page(
    _ request: PageRequest, after key: OrderKey?, for expression: TextExpression,
    matchCount known: Int?
  ) throws(StoreError) -> ProductPage {
    let order = StoredOrder(request.query.order)
    let narrowing = expression.narrowing(of: request.query)
    let bound = request.maxMatchCount
    let walk = SearchPageScan(
      expression: expression, narrowing: narrowing, order: order, after: key,
      offset: request.offset, limit: request.boundedSize + 1, bound: bound)
    guard !expression.findsWhatDoesNotMatch else {
      return try page(of: walk, in: request, counted: nil)
    }
    let matchCount: Int
    if let known {
      matchCount = known
    } else {
      let limit = expression.isInOrder(of: request.query) ? bound : ProductTotal.bound
      matchCount = try count(ProductCount(expression: expression.text, limit: limit + 1))
    }
    if matchCount > ProductTotal.bound, order.order != .newest || !narrowing.isEmpty {
      return try page(
        of: walk, in: request, counted: narrowing.isEmpty ? ProductTotal.bound + 1 : nil)
    }
    let search = ProductSearch(walk)
    let ids = try connection.all(SQL(search.sql), search.values) { row throws(StoreError) in
      try row.productID(0).orDamaged()
    }
    var total = matchCount
    if !narrowing.isEmpty {
      total = try count(
        ProductCount(expression: expression.text, narrowing: narrowing, limit: bound + 1))
    }
    return try page(of: ids, in: request, order: order, total: ProductTotal(total, atMost: bound))
  }

  /// One page in the order of the word index, which no count decides.
  ///
  /// The page tells how far its matches are apart. Its total is `.unknown` where counting in one piece
  /// would take long.
  /// - Throws: `.damaged` for a row with an invalid id; the statement's other `StoreError`s.
  func newestPage(
    _ request: PageRequest, after key: OrderKey?, for expression: TextExpression
  ) throws(StoreError) -> ProductPage {
    let bound = request.maxMatchCount
    var page = try page(request, after: key, for: expression, matchCount: bound + 1)
    page.total = .unknown
    let (first, last) = (page.products.first?.id.rawValue, page.products.last?.id.rawValue)
    guard let first, let last else { return page }
    if page.next == nil, request.position == .first {
      page.total = .exactly(page.products.count)
    } else if first < Self.smallestToDivide {
      let count = try count(ProductCount(expression: expression.text, limit: bound + 1))
      page.total = ProductTotal(count, atMost: bound)
    } else if (first - last) / Int64(page.products.count) < first / Int64(2 * bound),
      try hasMore(than: bound, of: expression)
    {
      page.total = .atLeast(bound)
    }
    return page
  }

  /// Whether an expression has more matches; passing them takes half as long as counting them.
  private func hasMore(
    than bound: Int, of expression: TextExpression
  ) throws(StoreError) -> Bool {
    try connection.integer(
      "SELECT 1 FROM product_grams WHERE product_grams MATCH ? LIMIT 1 OFFSET ?",
      .text(expression.text), .integer(Int64(bound))) != nil
  }

  /// The number of products that a query finds, without a limit.
  func exactTotal(
    of expression: TextExpression, _ narrowing: ProductConditions
  ) throws(StoreError) -> Int {
    let driver = try connection.driver(for: narrowing)
    return try count(
      try matches(of: expression), narrowing, along: driver, atMost: Int.max)
  }

  /// Counts matches, up to a limit.
  func count(_ count: ProductCount) throws(StoreError) -> Int {
    Int(try connection.first(SQL(count.sql), count.values) { row in row.integer(0) } ?? 0)
  }

  // MARK: Many matches

  /// `counted` is the number of matches, up to one above the bound; nil where they are still to be
  /// counted.
  private func page(
    of walk: SearchPageScan, in request: PageRequest, counted: Int?
  ) throws(StoreError) -> ProductPage {
    let matches = try matches(of: walk.expression)
    let driver = try connection.driver(for: walk.narrowing)
    var total = counted
    if total == nil {
      total = try count(matches, walk.narrowing, along: driver, atMost: walk.bound + 1)
    }
    let few = ProductTotal(total ?? 0, atMost: walk.bound)
    let chosen = walk.narrowing.driver(
      for: walk.order.order, areFew: total ?? 0 <= walk.bound, fewAlong: driver)
    var parts = chosen.parts(of: walk.narrowing, in: walk.order, after: walk.after)[...]
    var passed = 0
    var ids: [Product.ID] = []
    while ids.count < walk.limit, let part = parts.popFirst() {
      let products = ProductSelection(part, along: chosen, offset: 0, limit: -1)
      try connection.forEach(SQL(products.sql), products.values) { row throws(StoreError) in
        guard matches.contains(row.integer(0)) else { return true }
        passed += 1
        if passed > walk.offset { ids.append(try row.productID(0).orDamaged()) }
        return ids.count < walk.limit
      }
    }
    return try page(of: ids, in: request, order: walk.order, total: few)
  }

  /// The page of some ids, which may be one more than it holds.
  private func page(
    of ids: [Product.ID], in request: PageRequest, order: StoredOrder, total: ProductTotal
  ) throws(StoreError) -> ProductPage {
    let found = try ordered.products(ids)
    return try connection.read(
      ordered.page(of: found, size: request.boundedSize, order: order, total: total))
  }

  private func matches(of expression: TextExpression) throws(StoreError) -> TextMatches {
    var ids = ProductIDSet()
    try connection.forEach(
      "SELECT rowid FROM product_grams WHERE product_grams MATCH ?", [.text(expression.text)]
    ) { row in
      ids.insert(row.integer(0))
      return true
    }
    return TextMatches(ids: ids, areOthers: expression.findsWhatDoesNotMatch)
  }

  private func count(
    _ matches: TextMatches, _ narrowing: ProductConditions, along driver: DrivingIndex,
    atMost limit: Int
  ) throws(StoreError) -> Int {
    let (sql, values) = ProductScan(narrowing, along: driver).ids
    var count = 0
    try connection.forEach(SQL(sql), values) { row in
      if matches.contains(row.integer(0)) { count += 1 }
      return count < limit
    }
    return count
  }
}

extension TextExpression {
  /// The conditions of a query that the expression does not check.
  func narrowing(of query: ProductQuery) -> ProductConditions {
    var narrowing = ProductConditions(query)
    if namesSellers { narrowing.sellers = [] }
    return narrowing
  }

  /// Whether its matches are those of the query, in the query's order.
  func isInOrder(of query: ProductQuery) -> Bool {
    query.order == .newest && narrowing(of: query).isEmpty && !findsWhatDoesNotMatch
  }
}

/// Position and size of a page of a search.
private struct SearchPageScan {
  let expression: TextExpression
  let narrowing: ProductConditions
  let order: StoredOrder
  let after: OrderKey?
  let offset: Int
  let limit: Int
  /// Maximum number of products that are counted.
  let bound: Int
}

/// Products that an expression has found.
private struct TextMatches {
  let ids: ProductIDSet
  /// Whether the matching products are all others.
  let areOthers: Bool

  func contains(_ id: Int64) -> Bool { ids.contains(id) != areOthers }
}

/// Statement that finds the ids of a page of a search among few matches, or in the order of the search
/// index.
private struct ProductSearch {
  /// CROSS JOIN makes SQLite scan the matches, not the products.
  static let join = " CROSS JOIN product ON product.id = product_grams.rowid"

  let sql: String
  let values: [SQLValue]

  /// In the newest order the index returns its rows in that order, and no other table is read without
  /// conditions; in the other orders all matches are sorted.
  init(_ walk: SearchPageScan) {
    var values = StatementParameters(.sqlite)
    let words = values.add(.text(walk.expression.text))
    let isNewest = walk.order.order == .newest
    let readsProducts = !walk.narrowing.isEmpty || !isNewest
    let order =
      isNewest ? "product_grams.rowid DESC" : walk.order.terms().joined(separator: ", ")
    var range = ""
    let conditions = walk.narrowing.conditions(&values)
    if let after = walk.after {
      range =
        isNewest
        ? " AND product_grams.rowid < -" + values.add(after.values[0].sql)
        : walk.order.condition(after: after, &values)
    }
    sql = """
      SELECT product_grams.rowid FROM product_grams\(readsProducts ? Self.join : "")
      WHERE product_grams MATCH \(words)\(conditions)\(range) ORDER BY \(order)
      LIMIT \(values.add(.integer(Int64(walk.limit)))) OFFSET \(values.add(.integer(Int64(walk.offset))))
      """
    self.values = values.values
  }
}

/// Statement that counts the matches of a search.
///
/// The scan is ascending, which costs FTS5 a quarter less than descending.
struct ProductCount {
  let sql: String
  let values: [SQLValue]

  /// Counts products whose ids are in a range.
  ///
  /// Without a limit (nil) a match costs a tenth less than with one.
  init(
    expression: String, narrowing: ProductConditions? = nil,
    ids: ClosedRange<Int64> = Int64.min...Int64.max, limit: Int?
  ) {
    var values = StatementParameters(.sqlite)
    let words = values.add(.text(expression))
    let range = [ids.lowerBound, ids.upperBound].map { values.add(.integer($0)) }
    let conditions = narrowing.map { $0.conditions(&values) }
    let matches = """
      FROM product_grams\(conditions == nil ? "" : ProductSearch.join)
      WHERE product_grams MATCH \(words)
        AND product_grams.rowid BETWEEN \(range[0]) AND \(range[1])\(conditions ?? "")
      """
    let limit = limit.map { values.add(.integer(Int64($0))) }
    sql =
      limit.map { "SELECT count(*) FROM (SELECT 1 \(matches) LIMIT \($0))" } ?? "SELECT count(*) "
      + matches
    self.values = values.values
  }
}

/// Set of product ids, one bit each.
private struct ProductIDSet {
  /// Range of ids that the set can contain; others are dropped.
  ///
  /// It limits the set to 32 MB for a forged file; a market is far from so many products.
  private static let range = StoredNumbers.preservableIDs

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
