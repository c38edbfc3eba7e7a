import MarketModel
import StoreCore

/// Reads pages of queries with words.
struct SearchQueries {
  private let connection: PostgresConnection

  init(_ connection: PostgresConnection) {
    self.connection = connection
  }

  /// One page of a query with words, or `.unknownCursor` for one that nobody was given.
  ///
  /// Few finds are looked up in the index and sorted. Where there are many, the order is gone along
  /// until the page is full, but not for ever.
  ///
  /// `known` says how many products it finds; nil where that is still to be counted.
  func page(
    _ request: PageRequest, of search: WordSearch, counted known: Int?
  ) throws(PostgresError) -> Outcome<ProductPage> {
    let query = request.query
    let size = request.boundedSize
    var selection = PageSelection(
      order: query.order, states: query.filters.states, seller: query.seller,
      passing: request.offset, limit: size + 1)
    if case .after(let cursor) = request.position {
      guard let key = OrderKey(cursor, in: query.order) else { return .failure(.unknownCursor) }
      selection.after = key
    }
    var count = known ?? 0
    if known == nil {
      count = try total(of: search, in: query, atMost: ProductTotal.bound + 1)
    }
    var products: [Product] = []
    if count > ProductTotal.bound {
      var parameters = StatementParameters()
      let sql = selection.walk(for: search, &parameters)
      products = try listed(sql, in: query.order, parameters)
    }
    if products.count <= size {
      var parameters = StatementParameters()
      let sql = selection.finds(of: search, &parameters)
      products = try listed(sql, in: query.order, parameters)
    }
    let total = ProductTotal(bounded: count)
    return .success(ProductPage(of: products, size: size, order: query.order, total: total))
  }

  /// How many products a search finds.
  ///
  /// Stops counting at the limit; nil is never.
  func total(
    of search: WordSearch, in query: ProductQuery, atMost limit: Int?
  ) throws(PostgresError) -> Int {
    var parameters = StatementParameters()
    let selection = PageSelection(
      order: .newest, states: query.filters.states, seller: query.seller, limit: 0)
    let sql = selection.count(of: search, atMost: limit, &parameters)
    let statement = PostgresStatement(sql, parameters.values, isPlannedAnew: true)
    return Int(try connection.run(statement).first?.count(0) ?? 0)
  }

  private func listed(
    _ sql: String, in order: ProductOrder, _ parameters: StatementParameters
  ) throws(PostgresError) -> [Product] {
    try ProductQueries.products(
      in: try connection.run(ProductQueries.listing(sql, in: order, parameters)))
  }
}
