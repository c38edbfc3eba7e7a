import MarketModel
import StoreCore

extension PostgresConnection {
  /// Counts of one seller's products that somebody sees stop behind the bound; all others are exact.
  static let seenLimit = "\(ProductTotal.bound + 1)"

  /// How many products a query without words has, as a page shows it.
  func total(of query: ProductQuery) throws(PostgresError) -> ProductTotal {
    Self.total(of: query, by: try run(Self.counting(query, limit: Self.seenLimit)))
  }

  /// What a page shows by the rows of `counting(_:limit:)`.
  static func total(of query: ProductQuery, by rows: PostgresRows) -> ProductTotal {
    let count = Int(rows.first?.count(0) ?? 0)
    return query.seller == nil ? .exactly(count) : ProductTotal(bounded: count)
  }

  /// How many products a query without words has, whatever that costs.
  func exactTotal(of query: ProductQuery) throws(PostgresError) -> Int {
    Int(try run(Self.counting(query, limit: "ALL")).first?.count(0) ?? 0)
  }

  /// The statement that counts the products of a query without words.
  ///
  /// - Parameters:
  ///   - query: filters and seller; all products are counted in their blocks.
  ///   - limit: where to stop counting one seller's.
  /// - Returns: a query of one number.
  static func counting(_ query: ProductQuery, limit: String) -> PostgresStatement {
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
