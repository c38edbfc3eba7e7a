import MarketModel
import SQLiteKit

/// Markets that the user knows, by their ids.
extension PersonalFile {
  @discardableResult
  package func didIdentify(_ id: MarketID, at market: MarketKey) -> FavoriteMarket? {
    let isKnown = read { connection throws(DatabaseError) in
      try connection.integer(
        """
        SELECT 1 FROM market_id i JOIN market m ON m.id = i.market
        WHERE m.place = ? AND i.text = ?
        """, .text(market.rawValue), .text(id.text)) != nil
    }
    guard let isKnown else { return nil }
    if !isKnown {
      write { connection throws(DatabaseError) in
        try connection.run(
          """
          INSERT INTO market_id (market, text, declined) VALUES (?, ?, 0)
          ON CONFLICT (market) DO UPDATE SET text = excluded.text
          """, .integer(try connection.numberOrNew(of: market)), .text(id.text))
      }
    }
    return read { connection throws(DatabaseError) in
      try connection.former(of: id, at: market)
    } ?? nil
  }

  /// Merges the rows of two addresses of one market: those of the new address are added to the former
  /// one's, which gets the new key.
  ///
  /// False where the former market has no rows.
  package func move(from old: MarketKey, to market: FavoriteMarket) -> Bool {
    write(survivingPowerLoss: true) { connection throws(DatabaseError) in
      guard old != market.key, let former = try connection.number(of: old) else { return false }
      try connection.move(former, to: market.key)
      _ = try connection.numberOrNew(of: market)
      for table in ["wait", "hit"] {
        try connection.run(
          "UPDATE \(table) SET place = ? WHERE market = ?", .text(market.location),
          .integer(former))
      }
      return true
    } ?? false
  }

  package func decline(at market: MarketKey) {
    write(survivingPowerLoss: true) { connection throws(DatabaseError) in
      try connection.run(
        """
        UPDATE market_id SET declined = 1
        WHERE market = (SELECT id FROM market WHERE place = ?)
        """, .text(market.rawValue))
    }
  }
}

extension SQLiteConnection {
  /// Tables in which the row of the former address wins; in the others that of the new address does.
  private static let keepsEarlierRow: Set<String> = ["kept_product", "kept_seller"]

  /// The former address of a market of this id with favorites or alerts, the last visited one; nil where
  /// there is none, or the new address has some already or the user declined.
  fileprivate func former(of id: MarketID, at market: MarketKey) throws(DatabaseError)
    -> FavoriteMarket?
  {
    guard let here = try number(of: market), try !hasThings(here),
      try integer(
        "SELECT 1 FROM market_id WHERE market = ? AND declined", .integer(here)) == nil
    else { return nil }
    let others = try all(
      """
      SELECT m.id, m.place, km.name,
        coalesce(km.place, (SELECT max(place) FROM wait WHERE market = m.id))
      FROM market_id i JOIN market m ON m.id = i.market
        LEFT JOIN kept_market km ON km.market = m.id
      WHERE i.text = ? AND m.id <> ?
      ORDER BY (SELECT max(noted) FROM visit WHERE market = m.id) DESC NULLS LAST, m.id LIMIT 100
      """, [.text(id.text), .integer(here)]
    ) { row in (id: row.integer(0), market: row.market(from: 1)) }
    for other in others where try hasThings(other.id) { return other.market }
    return nil
  }

  /// Whether a market has favorites or alerts.
  private func hasThings(_ market: Int64) throws(DatabaseError) -> Bool {
    try integer(
      """
      SELECT 1 WHERE EXISTS (SELECT 1 FROM kept_product WHERE market = ?1 AND dropped IS NULL)
        OR EXISTS (SELECT 1 FROM kept_seller WHERE market = ?1 AND dropped IS NULL)
        OR EXISTS (SELECT 1 FROM wait WHERE market = ?1)
      """, .integer(market)) != nil
  }

  /// Gives a market another key, and merges the rows that the key has already.
  /// - Throws: the statement's `DatabaseError`.
  func move(_ former: Int64, to location: MarketKey) throws(DatabaseError) {
    if let today = try number(of: location) { try join(today, to: former) }
    try run(
      "UPDATE market SET place = ? WHERE id = ?", .text(location.rawValue), .integer(former))
  }

  /// Moves the rows of one market to another one, and deletes the first.
  private func join(_ today: Int64, to former: Int64) throws(DatabaseError) {
    try endVisit(to: former)
    for table in ["kept_product", "kept_seller"] {
      try run(
        "DELETE FROM \(table) WHERE market = ? AND dropped IS NOT NULL", .integer(today))
    }
    for table in try PersonalTable.all(self) {
      for reference in table.references where reference.table == "market" {
        let rule = Self.keepsEarlierRow.contains(table.name) ? "IGNORE" : "REPLACE"
        try run(
          """
          UPDATE OR \(rule) \(PersonalTable.quoted(table.name))
          SET \(PersonalTable.quoted(reference.column)) = ?
          WHERE \(PersonalTable.quoted(reference.column)) = ?
          """, .integer(former), .integer(today))
      }
    }
    try run("DELETE FROM market WHERE id = ?", .integer(today))
    try joinPrices(of: former)
  }

  /// A market has at most one open visit: that of the new address stays.
  private func endVisit(to market: Int64) throws(DatabaseError) {
    try run(
      """
      DELETE FROM visitor WHERE visit IN (
        SELECT id FROM visit WHERE market = ? AND ended IS NULL)
      """, .integer(market))
    try run(
      "UPDATE visit SET ended = noted WHERE market = ? AND ended IS NULL", .integer(market))
  }
}
