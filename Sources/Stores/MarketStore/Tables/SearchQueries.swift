import MarketModel
import SQLiteKit
import StoreCore

/// Page of a text query.
struct TextSearch: Sendable {
  let request: PageRequest
  /// Key after which the page begins; nil for a page by number.
  let key: OrderKey?
  let expression: TextExpression
  /// The conditions of the query that the expression does not check.
  let narrowing: ProductConditions

  init(_ request: PageRequest, after key: OrderKey?, for expression: TextExpression) {
    self.request = request
    self.key = key
    self.expression = expression
    narrowing = expression.narrowing(of: request.query)
  }

  var order: StoredOrder { StoredOrder(request.query.order) }
  /// Maximum number of matches that are counted.
  var bound: Int { request.maxMatchCount }
  /// One product more than the page holds.
  var limit: Int { request.boundedSize + 1 }

  /// Whether all products of the query are looked up and sorted for a page, which counts them.
  var isCountedBySorting: Bool { order.order != .newest && !narrowing.isEmpty && key == nil }

  /// Whether the matches of the expression are those of the query, in the query's order.
  var isInOrder: Bool {
    order.order == .newest && narrowing.isEmpty && !expression.findsWhatDoesNotMatch
  }
}

/// Pages of text queries.
///
/// - Throws: every call throws the `StoreError` of its statement, and `.damaged` for a row with an invalid
///   id.
extension SQLiteDatabase {
  /// Minimum highest id of a market whose matches are counted in two halves.
  static let smallestToDivide: Int64 = 1 << 13

  /// One page of a text query; `rows` are the rows of pages that ask for them.
  ///
  /// Few matches are looked up and sorted. Of many, all ids are collected first, and then the order's own
  /// index is read until the page is full.
  ///
  /// `known` is the number of matches of the expression alone, up to one above the bound; nil where they
  /// are still to be counted, in the order of the index to the request's bound, else to 10,001.
  func page(
    of search: TextSearch, matchCount known: Int?, keeping rows: ListedRowCache
  ) throws(StoreError) -> ProductPage {
    let (narrowing, text) = (search.narrowing, search.expression.text)
    guard !search.expression.findsWhatDoesNotMatch else {
      return try page(of: scan(search), in: search, keeping: rows)
    }
    let matchCount: Int
    if let known {
      matchCount = known
    } else {
      let limit = search.isInOrder ? search.bound : ProductTotal.bound
      matchCount = try count(ProductCount(expression: text, limit: limit + 1))
    }
    if search.order.order != .newest || !narrowing.isEmpty,
      let scan = try scanIfMany(matchCount, of: search)
    {
      return try page(of: scan, in: search, keeping: rows)
    }
    let (sql, values) = search.statement
    var ids = try all(SQL(sql), values) { row throws(StoreError) in
      try row.productID(0).orDamaged()
    }
    var total = matchCount
    if search.isCountedBySorting {
      total = ids.count
      ids = Array(ids.dropFirst(search.request.offset).prefix(search.limit))
    } else if !narrowing.isEmpty {
      total = try count(
        ProductCount(expression: text, narrowing: narrowing, limit: search.bound + 1))
    }
    return try page(of: Scan(ids: ids, total: total), in: search, keeping: rows)
  }

  /// One page in the order of the word index, which no count decides.
  ///
  /// The page tells how far its matches are apart. Its total is `.unknown` where counting in one piece
  /// would take long.
  func newestPage(
    of search: TextSearch, keeping rows: ListedRowCache
  ) throws(StoreError) -> ProductPage {
    let (bound, text) = (search.bound, search.expression.text)
    var page = try page(of: search, matchCount: bound + 1, keeping: rows)
    page.total = .unknown
    let (first, last) = (page.products.first?.id.rawValue, page.products.last?.id.rawValue)
    guard let first, let last else { return page }
    if page.next == nil, search.request.position == .first {
      page.total = .exactly(page.products.count)
    } else if first < Self.smallestToDivide {
      let count = try count(ProductCount(expression: text, limit: bound + 1))
      page.total = ProductTotal(count, atMost: bound)
    } else if (first - last) / Int64(page.products.count) < first / Int64(2 * bound),
      // Skipping matches takes half as long as counting them.
      try integer(
        "SELECT 1 FROM product_grams WHERE product_grams MATCH ? LIMIT 1 OFFSET ?", .text(text),
        .integer(Int64(bound))) != nil
    {
      page.total = .atLeast(bound)
    }
    return page
  }

  /// The number of products that a query finds, without a limit.
  func exactTotal(
    of expression: TextExpression, _ narrowing: ProductConditions
  ) throws(StoreError) -> Int {
    try count(
      try matches(of: expression), narrowing, along: try driver(for: narrowing), atMost: Int.max)
  }

  /// Counts matches, up to a limit.
  func count(_ count: ProductCount) throws(StoreError) -> Int {
    Int(try first(SQL(count.sql), count.values) { row in row.integer(0) } ?? 0)
  }

  // MARK: Many matches

  /// Entries of an order's index that cost as much as looking up and sorting one match; to collect the id
  /// of a match costs as much as one of them.
  private static let entriesForOneMatch = 6

  /// What an order's index gave of a search.
  private struct Scan {
    /// At most one id more than the page holds.
    var ids: [Product.ID]
    let total: Int
    /// Whether the page is full or the index was read to its end.
    var isWhole = true
  }

  /// Nil where it costs less to look all matches up and sort them, or proves so while the index is read.
  private func scanIfMany(_ matchCount: Int, of search: TextSearch) throws(StoreError) -> Scan? {
    if matchCount > ProductTotal.bound {
      return try scan(search, counted: search.narrowing.isEmpty ? matchCount : nil)
    }
    let maxEntries = Self.entriesForOneMatch * matchCount
    let last = try integer("SELECT max(id) FROM product") ?? 0
    // As many entries are to be read as matches are apart.
    let entries = Double(search.request.offset + search.limit) * Double(last) / Double(matchCount)
    guard search.narrowing.isEmpty, entries < Double(maxEntries) else { return nil }
    let scan = try scan(search, counted: matchCount, readingAtMost: maxEntries)
    return scan.isWhole ? scan : nil
  }

  /// `counted` is the number of matches, up to one above the bound; nil where they are still to be
  /// counted.
  private func scan(
    _ search: TextSearch, counted: Int? = nil, readingAtMost maxEntries: Int = .max
  ) throws(StoreError) -> Scan {
    let (narrowing, order) = (search.narrowing, search.order)
    let (limit, offset) = (search.limit, search.request.offset)
    let matches = try matches(of: search.expression)
    let driver = try driver(for: narrowing)
    let total =
      if let counted {
        counted
      } else {
        try count(matches, narrowing, along: driver, atMost: search.bound + 1)
      }
    let chosen = narrowing.driver(
      for: order.order, areFew: total <= search.bound, fewAlong: driver)
    var parts = chosen.parts(of: narrowing, in: order, after: search.key)[...]
    var (entries, passed) = (0, 0)
    var scan = Scan(ids: [], total: total)
    while scan.ids.count < limit, scan.isWhole, let part = parts.popFirst() {
      let products = ProductSelection(part, along: chosen, offset: 0, limit: -1)
      try forEach(SQL(products.sql), products.values) { row throws(StoreError) in
        entries += 1
        guard matches.contains(row.integer(0)) else {
          scan.isWhole = entries < maxEntries
          return scan.isWhole
        }
        passed += 1
        if passed > offset { scan.ids.append(try row.productID(0).orDamaged()) }
        return scan.ids.count < limit
      }
    }
    return scan
  }

  private func page(
    of scan: Scan, in search: TextSearch, keeping rows: ListedRowCache
  ) throws(StoreError) -> ProductPage {
    let products = OrderedProducts(self, for: search.request, keeping: rows)
    return try read(
      products.page(
        of: try products.products(scan.ids), size: search.request.boundedSize, order: search.order,
        total: ProductTotal(scan.total, atMost: search.bound)))
  }

  private func matches(of expression: TextExpression) throws(StoreError) -> TextMatches {
    var ids = ProductIDSet()
    try forEach(
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
    try forEach(SQL(sql), values) { row in
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
}

/// Products that an expression has found.
private struct TextMatches {
  let ids: ProductIDSet
  /// Whether the matching products are all others.
  let areOthers: Bool

  func contains(_ id: Int64) -> Bool { ids.contains(id) != areOthers }
}

extension TextSearch {
  /// CROSS JOIN makes SQLite scan the matches, not the products.
  fileprivate static let join = " CROSS JOIN product ON product.id = product_grams.rowid"

  /// Statement that finds the ids of the page among few matches, or in the order of the search index; all
  /// ids where they are counted by sorting.
  ///
  /// In the newest order the index returns its rows in that order, and no other table is read without
  /// conditions; in the other orders all matches are sorted.
  fileprivate var statement: (sql: String, values: [SQLValue]) {
    var values = StatementParameters(.sqlite)
    let words = values.add(.text(expression.text))
    let isNewest = order.order == .newest
    let conditions = narrowing.conditions(&values)
    var range = ""
    if let key {
      range =
        isNewest
        ? " AND product_grams.rowid < -" + values.add(key.values[0].sql)
        : order.condition(after: key, &values)
    }
    let sql = """
      SELECT product_grams.rowid FROM product_grams\(narrowing.isEmpty && isNewest ? "" : Self.join)
      WHERE product_grams MATCH \(words)\(conditions)\(range)
      ORDER BY \(isNewest ? "product_grams.rowid DESC" : order.terms().joined(separator: ", "))
      """
    guard !isCountedBySorting else { return (sql, values.values) }
    let (limit, offset) = (
      values.add(.integer(Int64(limit))), values.add(.integer(Int64(request.offset)))
    )
    return (sql + " LIMIT \(limit) OFFSET \(offset)", values.values)
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
      FROM product_grams\(conditions == nil ? "" : TextSearch.join)
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
