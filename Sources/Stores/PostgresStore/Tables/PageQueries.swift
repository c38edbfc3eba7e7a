import MarketModel
import StoreCore

/// Reads pages of queries without words.
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
      order: query.order, states: query.filters.states, seller: query.seller,
      limit: request.boundedSize + 1)
    switch request.position {
    case .first: break
    case .after(let cursor):
      guard let key = OrderKey(cursor, in: query.order) else { return .failure(.unknownCursor) }
      selection.after = key
    case .number where query.seller != nil:
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

  /// How many products a query without words has, as a page shows it.
  private func total(of query: ProductQuery) throws(PostgresError) -> ProductTotal {
    Self.total(of: query, by: try connection.run(Self.counting(query, limit: Self.seenLimit)))
  }

  /// What a page shows by the rows of `counting(_:limit:)`.
  private static func total(of query: ProductQuery, by rows: PostgresRows) -> ProductTotal {
    let count = Int(rows.first?.count(0) ?? 0)
    return query.seller == nil ? .exactly(count) : ProductTotal(bounded: count)
  }

  /// How many products a query without words has, whatever that costs.
  func exactTotal(of query: ProductQuery) throws(PostgresError) -> Int {
    Int(try connection.run(Self.counting(query, limit: "ALL")).first?.count(0) ?? 0)
  }

  /// The statement that counts the products of a query without words.
  ///
  /// - Parameters:
  ///   - query: filters and seller; all products are counted in their blocks.
  ///   - limit: where to stop counting one seller's.
  /// - Returns: a query of one number.
  private static func counting(_ query: ProductQuery, limit: String) -> PostgresStatement {
    let states = query.filters.states
    guard let seller = query.seller else {
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
