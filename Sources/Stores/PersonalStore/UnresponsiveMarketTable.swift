import MarketModel
import SQLiteKit

/// Markets that have alerts and do not answer, over one connection.
struct UnresponsiveMarketTable {
  private let connection: SQLiteConnection

  init(_ connection: SQLiteConnection) {
    self.connection = connection
  }

  /// Takes note whether a market answered; where it did not, since when stays as it was.
  func note(_ market: MarketKey, hasAnswered: Bool, at now: Int64) throws(DatabaseError) {
    try connection.run(
      """
      INSERT INTO wait_market (market, answered, silent) VALUES (?1, ?2, ?3)
      ON CONFLICT (market) DO UPDATE SET
        answered = CASE ?3 WHEN 0 THEN ?2 ELSE answered END, silent = ?3
      """,
      .integer(try MarketTable(connection).findOrAdd(market)), .integer(now),
      .integer(hasAnswered ? 0 : 1))
  }

  func all() throws(DatabaseError) -> [MarketKey: Timestamp] {
    let silent = try connection.all(
      """
      SELECT market.place, answered FROM wait_market
      JOIN market ON market.id = wait_market.market WHERE silent <> 0 LIMIT ?
      """, [.integer(Int64(AlertTable.limit))]
    ) { row in
      (
        MarketKey(rawValue: row.text(0, atMost: MarketKey.longest)),
        Timestamp(seconds: row.integer(1))
      )
    }
    return Dictionary(silent) { first, _ in first }
  }
}
