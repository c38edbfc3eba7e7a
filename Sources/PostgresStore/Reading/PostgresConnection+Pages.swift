import MarketModel
import StoreCore

extension PostgresConnection {
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
    let answers = try run([
      Self.counting(query, limit: Self.seenLimit),
      Self.listing(sql, in: query.order, parameters), .commit,
    ])
    return .success(
      ProductPage(
        of: try answers[1].products(), size: request.boundedSize, order: query.order,
        total: Self.total(of: query, by: answers[0])))
  }

  private func place(
    passing offset: Int, of query: ProductQuery, marks: OrderMarks
  ) throws(PostgresError) -> (after: OrderKey?, passing: Int)? {
    let states = query.filters.states
    guard query.order == .newest else {
      let walk = OrderMarks.Walk(order: query.order, states: states)
      return try marks.place(passing: offset, along: walk, at: try version()) {
        after, count throws(PostgresError) in
        try self.marks(along: walk, after: after, count: count)
      }
    }
    return try place(passing: offset, in: states).map { ($0.after, $0.passing) }
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
    return try run(statement).map { row in
      let values = columns.enumerated().map { place, column -> OrderKey.Value in
        column == "currency"
          ? .currency(Currency(rawValue: row.text(Int32(place))))
          : .number(row.integer(Int32(place)))
      }
      return OrderKey(values, in: walk.order)
    }
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
