import MarketModel
import StoreCore

/// Reader of pages of queries without words.
struct PageQueries {
  /// Counts of one seller's products that somebody sees stop behind the bound; all others are exact.
  private static let seenLimit = "\(ProductTotal.bound + 1)"

  private let connection: PostgresConnection
  private let blocks: BlockCounts

  init(_ connection: PostgresConnection) {
    self.connection = connection
    blocks = BlockCounts(connection)
  }

  /// One page of a query without words, or `.unknownCursor` for one that nobody was given.
  func page(
    _ request: PageRequest, marks: OrderMarks
  ) throws(PostgresError) -> Outcome<ProductPage> {
    let query = request.query
    var selection = PageSelection(
      order: query.order, states: query.filters.states, seller: query.sellers.first,
      limit: request.boundedSize + 1)
    switch request.position {
    case .first: break
    case .after(let cursor):
      guard let key = OrderKey(cursor, in: query.order) else { return .failure(.unknownCursor) }
      selection.after = key
    case .number where !query.sellers.isEmpty:
      // One seller's products are few enough to be passed over.
      selection.passing = request.offset
    case .number:
      guard let place = try place(passing: request.offset, of: query, marks: marks) else {
        return .success(ProductPage(products: [], total: try total(of: query), next: nil))
      }
      (selection.after, selection.passing) = place
    }
    var parameters = StatementParameters()
    let sql = selection.sql(&parameters)
    let answers = try connection.run([
      Self.counting(query, limit: Self.seenLimit),
      ProductQueries.listing(sql, in: query.order, parameters), .commit,
    ])
    return .success(
      ProductPage(
        of: try ProductQueries.products(in: answers[1]), size: request.boundedSize,
        order: query.order,
        total: Self.total(of: query, by: answers[0])))
  }

  private func place(
    passing offset: Int, of query: ProductQuery, marks: OrderMarks
  ) throws(PostgresError) -> (after: OrderKey?, passing: Int)? {
    let states = query.filters.states
    guard query.order == .newest else {
      let walk = OrderMarks.Walk(order: query.order, states: states)
      return try marks.place(passing: offset, along: walk, at: try blocks.version()) {
        after, count throws(PostgresError) in
        try self.marks(along: walk, after: after, count: count)
      }
    }
    return try blocks.place(passing: offset, in: states).map { ($0.after, $0.passing) }
  }

  private func marks(
    along walk: OrderMarks.Walk, after: OrderKey?, count: Int
  ) throws(PostgresError) -> [OrderKey] {
    let selection = PageSelection(
      order: walk.order, states: walk.states, after: after, limit: count * OrderMarks.interval)
    var parameters = StatementParameters()
    let columns = walk.order.columns
    let names = columns.joined(separator: ", ")
    let sql = """
      SELECT \(names) FROM (
        SELECT \(names), row_number() OVER (ORDER BY \(names)) AS place
        FROM (\(selection.sql(&parameters))) AS walked) AS numbered
      WHERE place % \(OrderMarks.interval) = 0 ORDER BY place
      """
    let statement = PostgresStatement(sql, parameters.values, isPlannedAnew: true)
    return try connection.run(statement).map { row in
      let values = columns.enumerated().map { place, column -> OrderKey.Value in
        column == "currency"
          ? .currency(Currency(rawValue: row.text(Int32(place))))
          : .number(row.integer(Int32(place)))
      }
      return OrderKey(values, in: walk.order)
    }
  }

  // MARK: Totals

  /// The number of products of a query without words, as a page shows it.
  private func total(of query: ProductQuery) throws(PostgresError) -> ProductTotal {
    Self.total(of: query, by: try connection.run(Self.counting(query, limit: Self.seenLimit)))
  }

  /// The total of a page by the rows of `counting(_:limit:)`.
  private static func total(of query: ProductQuery, by rows: PostgresRows) -> ProductTotal {
    let count = Int(rows.first?.count(0) ?? 0)
    return query.sellers.isEmpty ? .exactly(count) : ProductTotal(bounded: count)
  }

  /// The number of products of a query without words, whatever that costs.
  func exactTotal(of query: ProductQuery) throws(PostgresError) -> Int {
    Int(try connection.run(Self.counting(query, limit: "ALL")).first?.count(0) ?? 0)
  }

  /// The statement that counts the products of a query without words: one number.
  ///
  /// All products are counted in their blocks, one seller's one by one up to `limit`.
  private static func counting(_ query: ProductQuery, limit: String) -> PostgresStatement {
    let states = query.filters.states
    guard let seller = query.sellers.first else {
      return PostgresStatement(
        "SELECT sum(\(ProductBlocks.sum(of: states)))::bigint FROM block WHERE level = $1",
        [.integer(ProductBlocks.topLevel)])
    }
    let list = states.map(String.init).joined(separator: ", ")
    return PostgresStatement(
      """
      SELECT count(*) FROM (
        SELECT 1 FROM product WHERE seller = $1 AND state IN (\(list)) LIMIT \(limit)) AS found
      """, [.integer(seller.rawValue)])
  }
}

extension ProductPage {
  /// A page of products, of which one more may have been found than it holds.
  init(of products: [Product], size: Int, order: ProductOrder, total: ProductTotal) {
    let shown = Array(products.prefix(size))
    let key = products.count > size ? shown.last.flatMap { OrderKey(of: $0, in: order) } : nil
    self.init(products: shown, total: total, next: key.map { .after($0.cursor) })
  }
}

/// The statement that finds the ids of one page.
///
/// The products of each state come from their own range of the order's index, no more of them than
/// the page could need, and are merged; so each combination of filters costs what the page costs.
struct PageSelection {
  var order: ProductOrder
  var states: [Int]
  var seller: Seller.ID?
  /// Key before the page; nil for the first page.
  var after: OrderKey?
  /// Number of products to pass over from there.
  var passing = 0
  var limit: Int

  /// A query of the columns `id` and those of the order, ordered; its values are added to
  /// `parameters`.
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
  /// Number of products of an order that are looked at one by one: far more than are needed where
  /// more than 10,000 of a million match, unless those that match stand together elsewhere.
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

  /// The number of finds, up to a limit.
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
