import MarketModel
import MarketStore

extension PostgresConnection {
  /// One page of a query with words, or `.invalid` for a cursor that nobody was given.
  ///
  /// Few finds are looked up in the index and sorted; where there are many, the order's own index
  /// is walked until the page is full.
  func page(
    _ request: PageRequest, of search: ProductSearch
  ) throws(PostgresError) -> Outcome<ProductPage> {
    let query = request.query
    let limit = ProductTotal.bound + 1
    var selection = ProductSelection(
      order: query.order, states: query.filters.states, seller: query.seller, search: search,
      passing: request.offset, limit: request.boundedSize + 1)
    if case .after(let cursor) = request.position {
      guard let key = OrderKey(cursor, in: query.order) else { return .failure(.invalid([])) }
      selection.after = key
    }
    let count = try total(of: search, in: query, atMost: limit)
    let total = ProductTotal(bounded: count)
    guard count < limit else { return .success(try page(of: selection, total: total)) }
    var parameters = StatementParameters()
    let sql = selection.finds(&parameters)
    let products = try products(sql, in: query.order, parameters)
    return .success(
      ProductPage(of: products, size: request.boundedSize, order: query.order, total: total))
  }

  /// How many products a search finds.
  ///
  /// - Parameters:
  ///   - search: what is looked for.
  ///   - query: filters and seller.
  ///   - limit: where to stop counting; nil is never.
  /// - Returns: the count.
  /// - Throws: what the database answered.
  func total(
    of search: ProductSearch, in query: ProductQuery, atMost limit: Int?
  ) throws(PostgresError) -> Int {
    var parameters = StatementParameters()
    let selection = ProductSelection(
      order: .newest, states: query.filters.states, seller: query.seller, search: search, limit: 0)
    let sql = """
      SELECT count(*) FROM (SELECT 1 FROM \(selection.matches(&parameters))
      LIMIT \(limit.map(String.init) ?? "ALL")) AS found
      """
    let row = try runPlanned(sql, parameters.values).first
    return Int(row?.integer(0) ?? 0)
  }
}
