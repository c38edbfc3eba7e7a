import MarketModel
import SQLiteKit
import StoreCore

/// Pages of queries without words.
extension PostgresConnection {
  package func page(
    of narrowing: ProductConditions, from start: PageStart, in order: StoredOrder, size: Int,
    _ products: OrderedProducts
  ) throws(StoreError) -> Reading<ProductPage> {
    var selection = PageSelection(
      order: order, narrowing: narrowing, after: start.after, offset: start.offset,
      limit: size + 1)
    var parameters = StatementParameters(.postgres)
    guard !narrowing.isOfStatesAlone else {
      selection.narrowing.states = start.states
      let sql = selection.lastingSQL(&parameters)
      return try products.page(
        of: together(
          products.listing(sql, in: order, parameters.values),
          total(of: narrowing.states).map { .exactly($0) }),
        size: size, order: order)
    }
    // Few matches are sorted, unless the order's own index finds them directly.
    let maxSortedCount = ProductConditions.maxSortedCount(
      along: narrowing.indexedFields.first, in: order.order)
    let areAllCounted = narrowing.areCountedExactly
    let count = try count(narrowing, atMost: areAllCounted ? nil : maxSortedCount + 1)
    let sql =
      count > maxSortedCount || selection.isOneRangeEach
      ? selection.sql(&parameters) : selection.sorted(&parameters)
    let total = ProductTotal(count, atMost: areAllCounted ? .max : ProductTotal.bound)
    return try products.page(
      of: products.listing(sql, in: order, parameters.values, isPlannedAnew: true)
        .map { ($0, total) },
      size: size, order: order)
  }

  package func count(
    _ narrowing: ProductConditions, atMost limit: Int?
  ) throws(StoreError) -> Int {
    var parameters = StatementParameters(.postgres)
    let limit = limit.map(String.init) ?? "ALL"
    let arms = PageSelection.conditions(of: narrowing, &parameters).map { condition in
      "(SELECT 1 FROM product WHERE \(condition) LIMIT \(limit))"
    }
    let sql = """
      SELECT count(*) FROM (
        SELECT 1 FROM (\(arms.joined(separator: " UNION ALL "))) AS arm LIMIT \(limit)) AS found
      """
    let statement = Query(SQL(sql), parameters.values, isPlannedAnew: true)
    return Int(try run(statement).first?.count(0) ?? 0)
  }

  package func bookmarks(
    along walk: OrderBookmarks.Walk, after: OrderKey?, count: Int
  ) throws(StoreError) -> [OrderKey] {
    let selection = PageSelection(
      order: walk.order, narrowing: ProductConditions(states: walk.states), after: after,
      limit: count * OrderBookmarks.interval)
    var parameters = StatementParameters(.postgres)
    let names = walk.order.columns.joined(separator: ", ")
    let sql = """
      SELECT \(names) FROM (
        SELECT \(names), row_number() OVER (ORDER BY \(names)) AS place
        FROM (\(selection.sql(&parameters))) AS walked) AS numbered
      WHERE place % \(OrderBookmarks.interval) = 0 ORDER BY place
      """
    let statement = Query(SQL(sql), parameters.values, isPlannedAnew: true)
    return try run(statement).map { OrderKey(in: $0, from: 0, walk.order) }
  }
}

/// Query for the ids of one page.
///
/// The products of each state come from their own range of the order's index, at most as many as the page
/// needs, and are merged; so any filters cost only the page.
struct PageSelection {
  var order: StoredOrder
  var narrowing: ProductConditions
  /// Key after which the page begins; nil for the first page.
  var after: OrderKey?
  /// Number of products to skip from there.
  var offset = 0
  var limit: Int
  /// Whether so few products satisfy the conditions that a search checks each of them.
  var fewPass = false

  /// Whether the ranges of the order's index contain exactly the matching products.
  var isOneRangeEach: Bool {
    order.priceColumn != nil && narrowing.only(keepsPrices: true) == narrowing
  }

  /// The selection for each part of the order, in sequence; at least one.
  var parts: [PageSelection] {
    narrowing.parts(of: order, after: after).map { part in
      var selection = self
      selection.order = part.order
      selection.narrowing = part.narrowing
      selection.after = part.after
      return selection
    }
  }

  /// A query of the columns `id` and those of the order, ordered; its values are added to `parameters`.
  func sql(_ parameters: inout StatementParameters) -> String {
    merged(&parameters, each: limit + offset, limit: String(limit), offset: String(offset))
  }

  /// Like `sql(_:)`, with one of few texts, so that its plan is reused: the limit of each range is a
  /// power of two, and is part of the text, since the planner needs to know that it is small.
  func lastingSQL(_ parameters: inout StatementParameters) -> String {
    var each = 32
    while each < limit + offset { each *= 2 }
    let limit = parameters.add(.integer(Int64(limit)))
    let offset = parameters.add(.integer(Int64(offset)))
    return merged(&parameters, each: each, limit: limit, offset: offset)
  }

  /// The second part is only read where the first has too few products.
  private func merged(
    _ parameters: inout StatementParameters, each: Int, limit: String, offset: String
  ) -> String {
    let bounds = "LIMIT \(limit) OFFSET \(offset)"
    let parts = parts
    guard parts.count > 1 else {
      return parts[0].mergedRanges(&parameters, each: each, selecting: columns, bounds)
    }
    let first = parts[0].mergedRanges(&parameters, each: each, selecting: columns, "LIMIT \(each)")
    let second = parts[1].mergedRanges(
      &parameters, each: each, selecting: columns, "LIMIT \(each)",
      where: "(SELECT count(*) FROM first) < \(each)")
    return """
      WITH first AS MATERIALIZED (\(first))
      SELECT \(columns) FROM (SELECT * FROM first UNION ALL (\(second))) AS part
      ORDER BY \(order.terms().joined(separator: ", ")) \(bounds)
      """
  }

  /// SELECT of a part of an order, where a condition holds.
  private func mergedRanges(
    _ parameters: inout StatementParameters, each: Int, selecting columns: String,
    _ bounds: String, where condition: String = "true"
  ) -> String {
    let names = order.columns.joined(separator: ", ")
    let arms = ranges(&parameters).map { range in
      "(SELECT \(columns) FROM product WHERE \(range) ORDER BY \(names) LIMIT \(each))"
    }
    return """
      SELECT \(columns) FROM (\(arms.joined(separator: " UNION ALL "))) AS arm
      WHERE \(condition) ORDER BY \(names) \(bounds)
      """
  }

  /// Like `sql(_:)`, but finds and sorts all matches.
  func sorted(_ parameters: inout StatementParameters) -> String {
    let place = order.condition(after: after, &parameters)
    let arms = Self.conditions(of: narrowing, &parameters).map { condition in
      "(SELECT \(columns) FROM product WHERE \(condition)\(place) OFFSET 0)"
    }
    // Without OFFSET 0 the planner may scan the order instead.
    return """
      SELECT \(columns) FROM (\(arms.joined(separator: " UNION ALL "))) AS found
      ORDER BY \(order.terms().joined(separator: ", ")) LIMIT \(limit) OFFSET \(offset)
      """
  }

  /// The conditions that together find each matching product once; at least one.
  ///
  /// Where only prices are restricted, an index has the matches in one range for each state and currency.
  fileprivate static func conditions(
    of narrowing: ProductConditions, _ parameters: inout StatementParameters
  ) -> [String] {
    narrowing.hasPrices && narrowing.only(keepsPrices: true) == narrowing
      ? narrowing.ranges(of: StoredOrder(.cheapest), after: nil, &parameters)
      : ["true" + narrowing.conditions(&parameters)]
  }

  private var columns: String { (["id"] + order.positionColumns).joined(separator: ", ") }

  /// One condition for each range of an index; the newest products of one seller are a range.
  private func ranges(_ parameters: inout StatementParameters) -> [String] {
    guard narrowing.sellers.count == 1 else {
      return narrowing.ranges(of: order, after: after, &parameters)
    }
    return [
      narrowing.statesCondition + narrowing.conditionsButStates(&parameters)
        + order.condition(after: after, &parameters)
    ]
  }
}

// MARK: Matches of words

extension PageSelection {
  /// A query of the columns `id` and those of the order that scans a part of the order until the page is
  /// full, at most `count` products.
  func walk(
    for search: WordSearch, past count: Int, _ parameters: inout StatementParameters
  ) -> String {
    guard !isOfWordsAlone else {
      // The table of words has this order as well.
      let condition = search.condition(usesIndex: false, &parameters)
      return """
        SELECT product AS id, -product AS newness FROM (
          SELECT * FROM product_search WHERE true\(behind(&parameters))
          ORDER BY product DESC LIMIT \(count)) AS near
        WHERE \(condition) ORDER BY product DESC LIMIT \(limit) OFFSET \(offset)
        """
    }
    var near = self
    (near.offset, near.limit) = (0, count)
    // Without OFFSET 0 the planner may read all matches first.
    return """
      SELECT * FROM (\(near.sql(&parameters))) AS near
      WHERE EXISTS (SELECT 1 FROM product_search
        WHERE product = near.id AND \(search.condition(usesIndex: false, &parameters)) OFFSET 0)
      ORDER BY \(order.columns.joined(separator: ", ")) LIMIT \(limit) OFFSET \(offset)
      """
  }

  /// A query of the columns `id` and those of a part of an order by price, of the matches up to a sampled
  /// price; fewer than the page where that price is too near, and none where it is too far.
  func near(
    _ search: WordSearch, plenty: Int, within bounds: SearchBounds,
    _ parameters: inout StatementParameters
  ) -> String {
    let names = order.columns.joined(separator: ", ")
    let sample = MatchCountEstimate(of: search, among: narrowing, within: bounds).priceToken(
      in: order, after: after, for: plenty * (limit + offset), &parameters)
    let tokens = PriceTokens.listed(
      in: order.order, from: "(SELECT token FROM first)", upTo: "(SELECT token FROM sampled)")
    var first = self
    first.narrowing = narrowing.only(keepsPrices: true)
    (first.offset, first.limit) = (0, 1)
    let last = PriceTokens.position(of: "(SELECT token FROM sampled)", in: order.order)
    let condition = search.condition(
      usesIndex: true, priced: "(SELECT numbers FROM tokens)", &parameters)
    let conditions =
      narrowing.conditions(&parameters) + order.condition(after: after, &parameters)
      + " AND \(PriceTokens.position(of: PriceTokens.ofProduct, in: order.order)) <= \(last)"
    return """
      WITH sampled AS MATERIALIZED (\(sample)),
      first AS MATERIALIZED (
        SELECT \(PriceTokens.ofListed(in: order.order)) AS token
        FROM (\(first.sql(&parameters))) AS listed),
      tokens AS MATERIALIZED (\(tokens)),
      near AS MATERIALIZED (
        SELECT product FROM product_search WHERE \(condition) LIMIT \(bounds.near + 1))
      SELECT \(columns) FROM (SELECT product FROM near) AS found
      CROSS JOIN LATERAL (\(Self.found(columns, conditions))) AS listed
      WHERE (SELECT count(*) FROM near) <= \(bounds.near)
      ORDER BY \(names) LIMIT \(limit) OFFSET \(offset)
      """
  }

  /// SELECT of the product of a row of `found`, where it satisfies the conditions.
  ///
  /// `OFFSET 0` keeps a planner that expects many more matches from reading all products instead.
  static func found(_ columns: String, _ conditions: String) -> String {
    "SELECT \(columns) FROM product WHERE id = found.product\(conditions) OFFSET 0"
  }

  /// A query of the number of matches, whether these are all, and the ids of one page of them; looks each
  /// match up once.
  ///
  /// Its rows are the number, 1 where these are all, and an id each, in order; one row without an id
  /// where the page is empty, and where there are more matches than the bound. With `samples`, a few
  /// pages of the table first tell whether there are far more.
  ///
  /// Words alone need a count to `least`: a sample that finds more is enough. Matches in the newest order are
  /// looked up beyond it where that is likely to find all sooner than scanning finds a page of them.
  func counted(
    _ search: WordSearch, atLeast least: Int, samples: Bool, within bounds: SearchBounds,
    _ parameters: inout StatementParameters
  ) -> String {
    let names = order.terms().joined(separator: ", ")
    let bound = ProductTotal.bound
    var all = self
    all.after = nil
    // Few products are counted, even if the words alone match many.
    let sample =
      samples && !fewPass
      ? MatchCountEstimate(of: search, among: narrowing, within: bounds)
        .sql(above: narrowing.isEmpty ? least : bound, &parameters)
      : "SELECT false, 0::bigint"
    let isFar = "(SELECT are_many FROM sampled)"
    // Words alone are counted up to the bound of all counts.
    let (looks, some) = narrowing.isEmpty ? (bound, 0) : (bounds.looked, bounds.counted)
    let few =
      isOfWordsAlone ? few(atLeast: least, atMost: looks, within: bounds) : String(looks)
    let most = "(SELECT most FROM glanced)"
    // Rows of `looked` are looked up when they are read.
    let isCut = "(SELECT count(*) FROM (SELECT FROM looked LIMIT \(most) + 1) AS seen) > \(most)"
    let isMore = narrowing.isEmpty ? isCut : "false"
    let glance =
      isOfWordsAlone && !fewPass
      ? glance(few, atLeast: least, within: bounds) : "SELECT \(few) AS most"
    let looked: String
    let found: String
    if fewPass {
      looked = "SELECT 1 WHERE false"
      found = "\(all.passing(search, &parameters)) AND NOT \(isFar)"
    } else {
      let condition = search.condition(usesIndex: true, &parameters)
      looked = """
        SELECT product, ctid FROM product_search WHERE (\(condition)) AND NOT \(isFar)
        LIMIT \(few) + 1
        """
      let subset = "(SELECT product FROM looked LIMIT (SELECT CASE WHEN \(isCut) THEN \(some) END))"
      found =
        all.isOfWordsAlone
        ? all.among(subset, &parameters)
        : subset + " AS found CROSS JOIN LATERAL ("
          + Self.found(columns, narrowing.conditions(&parameters)) + ") AS listed"
    }
    let place = order.condition(after: after, &parameters)
    return """
      WITH sampled (are_many, least) AS MATERIALIZED (\(sample)), looked AS MATERIALIZED (\(looked)),
      glanced AS MATERIALIZED (\(glance)),
      found AS MATERIALIZED (SELECT \(columns) FROM \(found) LIMIT \(bound + 1)),
      counted AS MATERIALIZED (
        SELECT CASE WHEN \(isFar) THEN (SELECT least FROM sampled)
            WHEN \(isMore) THEN \(bound + 1)::bigint
            ELSE (SELECT count(*) FROM found) END AS number,
          CASE WHEN \(isFar) OR \(isCut) THEN 0::bigint ELSE 1::bigint END AS is_all)
      SELECT number, is_all, id FROM counted LEFT JOIN (
        SELECT \(columns) FROM found
        WHERE (SELECT is_all = 1 AND number <= \(bound) FROM counted)\(place)
        ORDER BY \(names) LIMIT \(limit) OFFSET \(offset)) AS listed ON true
      ORDER BY \(names)
      """
  }

  /// SELECT of the number of matches to look up at most: `few`, unless the pages of the first ones say that there
  /// are more; the index finds them in the order of the table's pages.
  private func glance(
    _ few: String, atLeast least: Int, within bounds: SearchBounds
  ) -> String {
    """
    SELECT CASE WHEN count(*) = \(bounds.glanced) AND \(bounds.glanced) * \(SearchBounds.pages)
        > \(few) * max((ctid::text::point)[0])
      THEN \(least) ELSE \(few) END AS most
    FROM (SELECT ctid FROM looked LIMIT \(bounds.glanced)) AS first
    """
  }

  /// SQL number of matches of words that take as long to look up as a page of them takes to scan: of N
  /// products, √(page · N / scans per match).
  private func few(atLeast least: Int, atMost most: Int, within bounds: SearchBounds) -> String {
    """
    (SELECT least(\(most), greatest(\(least), sqrt(
      (\(limit)::float8 + \(offset)) * max(product) / \(bounds.scansPerMatch))))::bigint
      FROM product_search)
    """
  }

  /// The condition that a product is behind the previous page in the newest order.
  private func behind(_ parameters: inout StatementParameters) -> String {
    after.map { " AND product < -" + parameters.add($0.values[0].sql) } ?? ""
  }

  /// A query of the columns `id` and those of the order that finds the matches by the index and sorts
  /// them.
  func sortedMatches(of search: WordSearch, _ parameters: inout StatementParameters) -> String {
    """
    SELECT \(columns) FROM \(candidates(search, &parameters))
    ORDER BY \(order.terms().joined(separator: ", ")) LIMIT \(limit) OFFSET \(offset)
    """
  }

  /// A query of the number of all matches.
  func count(of search: WordSearch, _ parameters: inout StatementParameters) -> String {
    "SELECT count(*) FROM \(candidates(search, &parameters))"
  }

  /// FROM and WHERE of all matches; the product table is joined only where a condition or the order needs
  /// it.
  ///
  /// `OFFSET 0` keeps the planner from scanning products in their order instead.
  private func matches(
    _ search: WordSearch, _ parameters: inout StatementParameters
  ) -> String {
    let condition = search.condition(usesIndex: true, &parameters)
    return among("(SELECT product FROM product_search WHERE \(condition) OFFSET 0)", &parameters)
  }

  /// FROM and WHERE of the matches among the products of a subquery.
  private func among(
    _ products: String, _ parameters: inout StatementParameters
  ) -> String {
    guard !isOfWordsAlone else {
      let range = order.condition(after: after, &parameters)
      return """
        (SELECT product AS id, -product AS newness FROM \(products) AS found) AS listed
        WHERE true\(range)
        """
    }
    return """
      \(products) AS found JOIN product ON product.id = found.product
      WHERE true\(narrowing.conditions(&parameters))\(order.condition(after: after, &parameters))
      """
  }

  /// Whether the search needs no columns of products.
  var isOfWordsAlone: Bool { order.order == .newest && narrowing.isEmpty }

  /// FROM and WHERE of the matches where few products satisfy the conditions, each of which is checked.
  private func passing(
    _ search: WordSearch, _ parameters: inout StatementParameters
  ) -> String {
    let conditions =
      narrowing.conditions(&parameters) + order.condition(after: after, &parameters)
    return """
      (SELECT \(columns) FROM product WHERE true\(conditions) OFFSET 0) AS passing
      WHERE EXISTS (SELECT 1 FROM product_search
        WHERE product = passing.id AND \(search.condition(usesIndex: false, &parameters)) OFFSET 0)
      """
  }

  /// The cheaper of `passing(_:_:)` and `matches(_:_:)`.
  private func candidates(
    _ search: WordSearch, _ parameters: inout StatementParameters
  ) -> String {
    fewPass ? passing(search, &parameters) : matches(search, &parameters)
  }
}
