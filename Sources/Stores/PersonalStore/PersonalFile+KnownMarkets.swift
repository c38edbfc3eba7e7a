import MarketModel
import SQLiteKit

/// Markets that the user knows, by their ids.
extension PersonalFile {
  @discardableResult
  package func didIdentify(_ id: MarketID, at market: MarketKey) -> FavoriteMarket? {
    let isKnown = read { connection throws(StoreError) in
      try connection.integer(
        """
        SELECT 1 FROM market_id i JOIN market m ON m.id = i.market
        WHERE m.key = ? AND i.text = ?
        """, .text(market.rawValue), .text(id.text)) != nil
    }
    guard let isKnown else { return nil }
    if !isKnown {
      write { connection throws(StoreError) in
        try connection.run(
          """
          INSERT INTO market_id (market, text, declined) VALUES (?, ?, 0)
          ON CONFLICT (market) DO UPDATE SET text = excluded.text
          """, .integer(try connection.numberOrNew(of: market)), .text(id.text))
      }
    }
    return read { connection throws(StoreError) in
      try connection.previous(of: id, at: market)
    } ?? nil
  }

  /// Merges the rows of two addresses of one market: those of the new address are added to the
  /// previous one's, which gets the new key.
  ///
  /// False where the previous address has no rows.
  package func move(from old: MarketKey, to market: FavoriteMarket) -> Bool {
    write(survivingPowerLoss: true) { connection throws(StoreError) in
      guard old != market.key, let previous = try connection.number(of: old) else { return false }
      if let new = try connection.number(of: market.key) { try connection.join(new, to: previous) }
      try connection.run(
        "UPDATE market SET key = ? WHERE id = ?", .text(market.key.rawValue), .integer(previous))
      _ = try connection.numberOrNew(of: market)
      for table in ["alert", "triggered_alert"] {
        try connection.run(
          "UPDATE \(table) SET location = ? WHERE market = ?", .text(market.location),
          .integer(previous))
      }
      return true
    } ?? false
  }

  package func decline(at market: MarketKey) {
    write(survivingPowerLoss: true) { connection throws(StoreError) in
      try connection.run(
        """
        UPDATE market_id SET declined = 1
        WHERE market = (SELECT id FROM market WHERE key = ?)
        """, .text(market.rawValue))
    }
  }
}

extension SQLiteConnection {
  /// Tables in which the row of the previous address wins; in the others that of the new address does.
  private static let previousWins = ["favorite_product", "favorite_seller"]

  /// The previous address of a market of this id with favorites or alerts, the last visited one; nil where
  /// there is none, or the new address has some already or the user declined.
  fileprivate func previous(of id: MarketID, at market: MarketKey) throws(StoreError)
    -> FavoriteMarket?
  {
    guard let here = try number(of: market), try !hasThings(here),
      try integer(
        "SELECT 1 FROM market_id WHERE market = ? AND declined", .integer(here)) == nil
    else { return nil }
    let others = try all(
      """
      SELECT m.id, m.key, fm.name,
        coalesce(fm.location, (SELECT max(location) FROM alert WHERE market = m.id))
      FROM market_id i JOIN market m ON m.id = i.market
        LEFT JOIN favorite_market fm ON fm.market = m.id
      WHERE i.text = ? AND m.id <> ?
      ORDER BY (SELECT max(last_active) FROM visit WHERE market = m.id) DESC NULLS LAST, m.id
      LIMIT 100
      """, [.text(id.text), .integer(here)]
    ) { row in (id: row.integer(0), market: row.market(from: 1)) }
    for other in others where try hasThings(other.id) { return other.market }
    return nil
  }

  /// Whether a market has favorites or alerts.
  private func hasThings(_ market: Int64) throws(StoreError) -> Bool {
    try integer(
      """
      SELECT 1 WHERE EXISTS (SELECT 1 FROM favorite_product WHERE market = ?1 AND removed IS NULL)
        OR EXISTS (SELECT 1 FROM favorite_seller WHERE market = ?1 AND removed IS NULL)
        OR EXISTS (SELECT 1 FROM alert WHERE market = ?1)
      """, .integer(market)) != nil
  }

  /// Moves the rows of one market to another one, and deletes the first.
  fileprivate func join(_ new: Int64, to previous: Int64) throws(StoreError) {
    try endVisit(to: previous)
    for table in Self.previousWins {
      try run(
        "DELETE FROM \(table) WHERE market = ? AND removed IS NOT NULL", .integer(new))
    }
    for table in try PersonalTable.all(self) {
      for reference in table.references where reference.table == "market" {
        let rule = Self.previousWins.contains(table.name) ? "IGNORE" : "REPLACE"
        try run(
          """
          UPDATE OR \(rule) \(PersonalTable.quoted(table.name))
          SET \(PersonalTable.quoted(reference.column)) = ?
          WHERE \(PersonalTable.quoted(reference.column)) = ?
          """, .integer(previous), .integer(new))
      }
    }
    try run("DELETE FROM market WHERE id = ?", .integer(new))
    try joinPrices(of: previous)
  }

  /// A market has at most one open visit: that of the new address stays.
  private func endVisit(to market: Int64) throws(StoreError) {
    try run(
      """
      DELETE FROM visitor WHERE visit IN (
        SELECT id FROM visit WHERE market = ? AND ended IS NULL)
      """, .integer(market))
    try run(
      "UPDATE visit SET ended = last_active WHERE market = ? AND ended IS NULL", .integer(market))
  }
}
