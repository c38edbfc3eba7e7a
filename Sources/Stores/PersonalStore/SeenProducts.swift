import MarketModel
import SQLiteKit

/// The products that were looked at, over one connection.
struct SeenProducts {
  /// Products that are remembered, of all markets together.
  static let limit = 20_000
  /// After so many more the oldest are forgotten.
  static let slack = 1_000

  let connection: Connection

  /// Which of some products were looked at, and when last.
  func times(
    of products: [Product.ID], in market: MarketKey
  ) throws(DatabaseError) -> [Product.ID: Timestamp] {
    guard let market = try Markets(connection).find(market) else { return [:] }
    var times: [Product.ID: Timestamp] = [:]
    for product in Set(products) {
      let time = try connection.integer(
        "SELECT at FROM seen WHERE market = ? AND product = ?",
        .integer(market), .integer(product.rawValue))
      if let time { times[product] = Timestamp(seconds: time) }
    }
    return times
  }

  func add(_ product: Product.ID, in market: MarketKey, at now: Int64) throws(DatabaseError) {
    let market = try Markets(connection).findOrAdd(market)
    try connection.run(
      "INSERT OR REPLACE INTO seen (market, product, at) VALUES (?, ?, ?)",
      .integer(market), .integer(product.rawValue), .integer(now))
    let count = try connection.integer("SELECT count(*) FROM seen") ?? 0
    guard count > Self.limit + Self.slack else { return }
    try connection.run(
      """
      DELETE FROM seen WHERE (market, product) IN (
        SELECT market, product FROM seen ORDER BY at LIMIT ?)
      """, .integer(count - Int64(Self.limit)))
  }
}
