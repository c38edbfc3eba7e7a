import MarketModel
import SQLiteKit

/// Markets whose rows an earlier version stored under keys that several locations could share.
struct LegacyMarkets {
  /// Row of such a market.
  private struct Former {
    let id: Int64
    let key: MarketKey
  }

  let connection: SQLiteConnection
  /// Locations known in addition to those in the file, the first used one first.
  let known: [KnownLocation]

  // MARK: Placing

  /// Assigns each former market to its location where that is unambiguous, in one transaction.
  ///
  /// Alerts and triggered alerts name their location, and are moved there in any case.
  /// - Throws: `.busy` or `.readOnly` where the file cannot be written; the statements' other errors.
  func place() throws(DatabaseError) {
    // Most files have none, and need no write lock.
    guard try !all().isEmpty else { return }
    try connection.writing { () throws(DatabaseError) in
      for former in try all() {
        try divideAlerts(of: former)
        let locations = try locations(of: former)
        if locations.count == 1 { try connection.move(former.id, to: locations[0]) }
      }
    }
  }

  private func all() throws(DatabaseError) -> [Former] {
    try connection.all(
      "SELECT id, place FROM market WHERE place GLOB 'file-*' OR place GLOB 'server-*' ORDER BY id"
    ) { row in
      Former(
        id: row.integer(0), key: MarketKey(rawValue: row.text(1, atMost: MarketKey.longest)))
    }
  }

  private func divideAlerts(of former: Former) throws(DatabaseError) {
    for table in ["wait", "hit"] {
      let texts = try connection.all(
        "SELECT DISTINCT place FROM \(table) WHERE market = ? AND place IS NOT NULL",
        [.integer(former.id)]
      ) { row in row.text(0) }
      for text in texts {
        guard let location = KnownLocation(text) else { continue }
        let market = try connection.numberOrNew(of: location.key)
        try connection.run(
          "UPDATE \(table) SET market = ? WHERE market = ? AND place = ?",
          .integer(market), .integer(former.id), .text(text))
      }
    }
  }

  /// The locations that may have had the key, the first used one first.
  private func locations(of former: Former) throws(DatabaseError) -> [MarketKey] {
    let firstUsed = try connection.first(
      "SELECT place FROM kept_market WHERE market = ? AND place IS NOT NULL", [.integer(former.id)]
    ) { row in KnownLocation(row.text(0)) }
    let others = try connection.all("SELECT place FROM market ORDER BY id") { row in
      KnownLocation(MarketKey(rawValue: row.text(0, atMost: MarketKey.longest)))
    }
    let possible = (others + known).filter { $0.former.contains(former.key) }
    return ([firstUsed ?? nil].compactMap(\.self) + possible).reduce(into: []) {
      locations, location in
      if !locations.contains(location.key) { locations.append(location.key) }
    }
  }

  // MARK: Asking

  /// Rows that an earlier version stored under a key shared with other locations, which the user has to
  /// assign; nil where there are none.
  /// - Throws: the statement's `DatabaseError`.
  func shared(with market: MarketKey) throws(DatabaseError) -> LegacySharedData? {
    let names = market.former + known.filter { $0.key == market }.flatMap(\.former)
    for former in try all() {
      let locations = try locations(of: former)
      guard names.contains(former.key) || locations.contains(market) else { continue }
      let others = locations.filter { $0 != market }
      if !others.isEmpty { return LegacySharedData(former: former.key, others: others) }
    }
    return nil
  }
}

extension PersonalFile {
  package func legacySharedData(of market: MarketKey) -> LegacySharedData? {
    let known = known
    return read { connection throws(DatabaseError) in
      try LegacyMarkets(connection: connection, known: known).shared(with: market)
    } ?? nil
  }

  /// The locations of all markets in a file of any version, in the order of their rows; empty where the
  /// file, which is not changed, cannot be read.
  package nonisolated static func locations(inFileAt path: String) -> [KnownLocation] {
    let options = SQLiteConnection.Options(readsOnly: true, busyMilliseconds: 100)
    guard let connection = try? SQLiteConnection(opening: path, options),
      let state = try? connection.state(of: .personal), state != .empty
    else { return [] }
    // The second column had another name.
    let keys = try? connection.all("SELECT * FROM market ORDER BY id") { row in
      (row.integer(0), MarketKey(rawValue: row.text(1, atMost: MarketKey.longest)))
    }
    let named = try? connection.all(
      """
      SELECT market, place FROM kept_market UNION SELECT market, place FROM wait
      UNION SELECT market, place FROM hit
      """
    ) { row in (row.integer(0), KnownLocation(row.text(1))) }
    return (keys ?? []).flatMap { id, key in
      (key.isFormer || key == .local ? [] : [KnownLocation(key)])
        + (named ?? []).filter { $0.0 == id }.compactMap(\.1)
    }
  }
}
