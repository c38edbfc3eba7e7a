import MarketModel
import MarketStore

extension PostgresConnection {
  /// How many products a query without words has: exact, but of one seller's only up to the bound.
  func total(of query: ProductQuery) throws(PostgresError) -> ProductTotal {
    guard let seller = query.seller else {
      return .exactly(try total(of: query.filters.states))
    }
    return ProductTotal(
      bounded: try total(of: query.filters.states, by: seller, limit: "\(ProductTotal.bound + 1)"))
  }

  /// How many products a query without words has, whatever that costs.
  func exactTotal(of query: ProductQuery) throws(PostgresError) -> Int {
    guard let seller = query.seller else { return try total(of: query.filters.states) }
    return try total(of: query.filters.states, by: seller, limit: "ALL")
  }

  private func total(
    of states: [Int], by seller: Seller.ID, limit: String
  ) throws(PostgresError) -> Int {
    let states = states.map(String.init).joined(separator: ", ")
    let row = try run(
      """
      SELECT count(*) FROM (
        SELECT 1 FROM product WHERE seller = $1 AND state IN (\(states)) LIMIT \(limit)) AS found
      """, [.integer(seller.rawValue)]
    ).first
    return Int(row?.integer(0) ?? 0)
  }
}
