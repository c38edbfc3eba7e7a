import MarketModel
import SQLiteKit

/// The visits to markets, over one connection, at one moment; every call stands in a transaction.
///
/// A visit is over when none of its programs runs any more, or when nobody has looked for half an
/// hour. Nobody has to be told: whoever asks next finds out, so that a program which was killed keeps no
/// visit open.
struct VisitTable {
  /// A person who has touched no key for so long, in seconds, has gone away.
  static let timeout: Int64 = 30 * 60
  /// Ended visits of one market that are remembered.
  static let limit = 20

  let connection: SQLiteConnection
  let now: Int64

  /// The last visit that has ended, after one that is over has been written down as ended; nil where
  /// there was none.
  func last(to market: MarketKey) throws(DatabaseError) -> Visit? {
    if let market = try MarketTable(connection).find(market) { try endOver(in: market) }
    return try lastEnded(to: market)
  }

  func isUnderWay(to market: MarketKey) throws(DatabaseError) -> Bool {
    guard let market = try MarketTable(connection).find(market) else { return false }
    return try underWay(in: market) != nil
  }

  /// The last visit that is written down as ended; where all were marked as seen later, that counts as
  /// what was newest.
  func lastEnded(to market: MarketKey) throws(DatabaseError) -> Visit? {
    guard let market = try MarketTable(connection).find(market) else { return nil }
    return try connection.first(
      """
      SELECT ended, max(newest, coalesce(
        (SELECT product FROM seen_through WHERE market = ?1), newest))
      FROM visit WHERE market = ?1 AND ended IS NOT NULL
      ORDER BY ended DESC, id DESC LIMIT 1
      """, [.integer(market)]
    ) { row in
      Visit(
        ended: Timestamp(seconds: row.integer(0)),
        newest: row.isNull(1) ? nil : Product.ID(rawValue: row.integer(1)))
    }
  }

  /// Takes note that a program looked at `noted`, in seconds since 1970, and looks now.
  func note(
    _ market: MarketKey, by visitor: VisitProcess, newest: Product.ID?, lastLook: Int64?
  ) throws(DatabaseError) {
    let market = try MarketTable(connection).findOrAdd(market)
    if let lastLook {
      try connection.run(
        """
        UPDATE visit SET noted = max(noted, ?) WHERE market = ? AND ended IS NULL AND id IN (
          SELECT visit FROM visitor WHERE host = ? AND process = ? AND started = ?)
        """, [.integer(lastLook), .integer(market)] + visitor.values)
    }
    try endOver(in: market)
    let underWay = try self.underWay(in: market)?.id
    let visit: Int64
    if let underWay { visit = underWay } else { visit = try begin(in: market) }
    try connection.run(
      "INSERT OR IGNORE INTO visitor (visit, host, process, started) VALUES (?, ?, ?, ?)",
      [.integer(visit)] + visitor.values)
    let newest = SQLValue.integer(newest?.rawValue)
    try connection.run(
      """
      UPDATE visit SET noted = max(noted, ?1),
        newest = CASE WHEN ?2 IS NULL THEN newest ELSE max(coalesce(newest, ?2), ?2) END
      WHERE id = ?3
      """, .integer(now), newest, .integer(visit))
  }

  /// Takes a program from a visit, which ends with the last one.
  func leave(_ market: MarketKey, by visitor: VisitProcess) throws(DatabaseError) {
    guard let market = try MarketTable(connection).find(market) else { return }
    try endOver(in: market)
    guard let visit = try underWay(in: market)?.id else { return }
    let left = try connection.run(
      "DELETE FROM visitor WHERE visit = ? AND host = ? AND process = ? AND started = ?",
      [.integer(visit)] + visitor.values)
    let others = try connection.integer(
      "SELECT count(*) FROM visitor WHERE visit = ?", .integer(visit))
    if left > 0, others == 0 { try end(visit, of: market, at: now) }
  }

  private func underWay(
    in market: Int64
  ) throws(DatabaseError) -> (id: Int64, noted: Int64)? {
    try connection.first(
      "SELECT id, noted FROM visit WHERE market = ? AND ended IS NULL ORDER BY id DESC LIMIT 1",
      [.integer(market)]
    ) { row in (row.integer(0), row.integer(1)) }
  }

  private func begin(in market: Int64) throws(DatabaseError) -> Int64 {
    try connection.run(
      "INSERT INTO visit (market, began, noted) VALUES (?1, ?2, ?2)",
      .integer(market), .integer(now))
    return connection.lastInsertedKey
  }

  /// Ends the visit that is under way where it is over.
  private func endOver(in market: Int64) throws(DatabaseError) {
    guard let visit = try underWay(in: market) else { return }
    // A clock that was set back left a time to come, after which nobody waits half an hour.
    let silence = now.subtractingReportingOverflow(visit.noted)
    guard !silence.overflow, abs(silence.partialValue) <= Self.timeout else {
      let end = visit.noted.addingReportingOverflow(Self.timeout)
      return try self.end(visit.id, of: market, at: end.overflow ? now : min(now, end.partialValue))
    }
    guard try !isAttended(visit.id) else { return }
    // What a program that was killed had shown after its last note was seen in that visit.
    let seen = try connection.integer(
      "SELECT max(at) FROM sight WHERE market = ? AND at BETWEEN ? AND ?",
      .integer(market), .integer(visit.noted), .integer(now))
    try end(visit.id, of: market, at: min(now, max(visit.noted, seen ?? visit.noted)))
  }

  /// Whether a program takes part that may still run; those that do not are forgotten.
  private func isAttended(_ visit: Int64) throws(DatabaseError) -> Bool {
    let visitors = try connection.all(
      "SELECT host, process, started FROM visitor WHERE visit = ? LIMIT 1000", [.integer(visit)]
    ) { row in
      VisitProcess(
        host: row.text(0, atMost: 256), process: row.integer(1), started: row.integer(2))
    }
    let host = VisitProcess.thisHost
    for visitor in visitors where visitor.isGone(seenFrom: host) {
      try connection.run(
        "DELETE FROM visitor WHERE visit = ? AND host = ? AND process = ? AND started = ?",
        [.integer(visit)] + visitor.values)
    }
    return visitors.contains { !$0.isGone(seenFrom: host) }
  }

  private func end(_ visit: Int64, of market: Int64, at time: Int64) throws(DatabaseError) {
    try connection.run("DELETE FROM visitor WHERE visit = ?", .integer(visit))
    try connection.run("UPDATE visit SET ended = ? WHERE id = ?", .integer(time), .integer(visit))
    try connection.run(
      """
      DELETE FROM visit WHERE market = ?1 AND ended IS NOT NULL AND id NOT IN (
        SELECT id FROM visit WHERE market = ?1 AND ended IS NOT NULL
        ORDER BY ended DESC, id DESC LIMIT ?2)
      """, .integer(market), .integer(Int64(Self.limit)))
  }
}

/// The markets that rows belong to.
struct MarketTable {
  let connection: SQLiteConnection

  init(_ connection: SQLiteConnection) {
    self.connection = connection
  }

  func find(_ market: MarketKey) throws(DatabaseError) -> Int64? {
    try connection.integer("SELECT id FROM market WHERE place = ?", .text(market.rawValue))
  }

  func findOrAdd(_ market: MarketKey) throws(DatabaseError) -> Int64 {
    if let found = try find(market) { return found }
    try connection.run("INSERT INTO market (place) VALUES (?)", .text(market.rawValue))
    return connection.lastInsertedKey
  }
}

extension VisitProcess {
  /// Host, process and start, as the table has them.
  fileprivate var values: [SQLValue] { [.text(host), .integer(process), .integer(started)] }
}
