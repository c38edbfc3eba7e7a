import MarketModel
import SQLiteKit

/// Visits to markets.
///
/// A visit ends when none of its programs runs any more, or after half an hour without input. The next
/// read detects the end, so that a killed program leaves no visit open.
extension PersonalFile {
  /// State of a shown market as this program last reported it.
  struct ShownState {
    var at: Int64
    var written: Int64
    var newest: Product.ID?
  }

  /// Seconds between two writes of a visit: keys are pressed far more often.
  private static let pause: Int64 = 30

  package func lastVisit(to market: MarketKey) -> Visit? {
    let known =
      read { connection throws(StoreError) in
        guard let market = try connection.number(of: market) else { return nil as (Visit?, Bool)? }
        return (try connection.lastEnded(to: market), try connection.underWay(in: market) != nil)
      } ?? nil
    guard let (last, mayEnd) = known else { return nil }
    guard mayEnd else { return last }
    return write { connection throws(StoreError) in
      guard let market = try connection.number(of: market) else { return nil }
      try connection.endIfOver(in: market, at: now().seconds)
      return try connection.lastEnded(to: market)
    } ?? last
  }

  package func isVisiting(_ market: MarketKey, newest: Product.ID?) {
    let now = now().seconds
    let last = shownMarkets[market]
    if let last, (0..<Self.pause).contains(now - last.written), last.newest == newest {
      shownMarkets[market]?.at = now
      return
    }
    let recorded: Void? = write { connection throws(StoreError) in
      try connection.recordVisit(
        to: try connection.numberOrNew(of: market), by: visitor, newest: newest, lastLook: last?.at,
        at: now)
    }
    if recorded != nil { shownMarkets[market] = ShownState(at: now, written: now, newest: newest) }
  }

  /// Removes this program from a visit, which ends with its last program.
  package func didLeave(_ market: MarketKey) {
    guard shownMarkets.removeValue(forKey: market) != nil else { return }
    write { connection throws(StoreError) in
      guard let market = try connection.number(of: market) else { return }
      let now = now().seconds
      try connection.endIfOver(in: market, at: now)
      guard let visit = try connection.underWay(in: market)?.id else { return }
      let removedCount = try connection.remove(visitor, from: visit)
      let others = try connection.integer(
        "SELECT count(*) FROM visitor WHERE visit = ?", .integer(visit))
      if removedCount > 0, others == 0 { try connection.end(visit, of: market, at: now) }
    }
  }
}

extension SQLiteConnection {
  /// Seconds without input after which a visit ends.
  private static let timeout: Int64 = 30 * 60
  /// Maximum number of ended visits of one market; the oldest are deleted beyond it.
  private static let maxVisits: Int64 = 20

  /// The last ended visit; its newest product is at least the one through which all were marked as seen.
  fileprivate func lastEnded(to market: Int64) throws(StoreError) -> Visit? {
    try first(
      """
      SELECT ended, max(newest, coalesce(
        (SELECT product FROM seen_through WHERE market = ?1), newest))
      FROM visit WHERE market = ?1 AND ended IS NOT NULL
      ORDER BY ended DESC, id DESC LIMIT 1
      """, [.integer(market)]
    ) { row in
      Visit(ended: row.time(0), newest: row.integer(orNull: 1).map(Product.ID.init(rawValue:)))
    }
  }

  /// Records that a program shows a market now, and showed it at `lastLook`, in seconds since 1970.
  fileprivate func recordVisit(
    to market: Int64, by visitor: VisitProcess, newest: Product.ID?, lastLook: Int64?, at now: Int64
  ) throws(StoreError) {
    if let lastLook {
      try run(
        """
        UPDATE visit SET last_active = max(last_active, ?) WHERE market = ? AND ended IS NULL AND id IN (
          SELECT visit FROM visitor WHERE host = ? AND process = ? AND started = ?)
        """, [.integer(lastLook), .integer(market)] + visitor.values)
    }
    try endIfOver(in: market, at: now)
    var visit = try underWay(in: market)?.id
    if visit == nil {
      try run(
        "INSERT INTO visit (market, began, last_active) VALUES (?1, ?2, ?2)", .integer(market),
        .integer(now))
      visit = lastInsertedKey
    }
    try run(
      "INSERT OR IGNORE INTO visitor (visit, host, process, started) VALUES (?, ?, ?, ?)",
      [.integer(visit)] + visitor.values)
    try run(
      """
      UPDATE visit SET last_active = max(last_active, ?1),
        newest = CASE WHEN ?2 IS NULL THEN newest ELSE max(coalesce(newest, ?2), ?2) END
      WHERE id = ?3
      """, .integer(now), .integer(newest?.rawValue), .integer(visit))
  }

  fileprivate func underWay(
    in market: Int64
  ) throws(StoreError) -> (id: Int64, lastActive: Int64)? {
    try first(
      "SELECT id, last_active FROM visit WHERE market = ? AND ended IS NULL ORDER BY id DESC LIMIT 1",
      [.integer(market)]
    ) { row in (row.integer(0), row.integer(1)) }
  }

  /// Ends the open visit where its time or its programs have ended.
  fileprivate func endIfOver(in market: Int64, at now: Int64) throws(StoreError) {
    guard let visit = try underWay(in: market) else { return }
    // After the clock was set back, the recorded time may be in the future.
    let silence = now.subtractingReportingOverflow(visit.lastActive)
    guard !silence.overflow, abs(silence.partialValue) <= Self.timeout else {
      let end = visit.lastActive.addingReportingOverflow(Self.timeout)
      return try self.end(visit.id, of: market, at: end.overflow ? now : min(now, end.partialValue))
    }
    guard try !isAttended(visit.id) else { return }
    // Products that a killed program showed after its last record were seen in that visit.
    let seen = try integer(
      "SELECT max(at) FROM seen_product WHERE market = ? AND at BETWEEN ? AND ?",
      .integer(market), .integer(visit.lastActive), .integer(now))
    try end(visit.id, of: market, at: min(now, max(visit.lastActive, seen ?? visit.lastActive)))
  }

  /// Whether a program of the visit may still run; programs that have ended are removed.
  private func isAttended(_ visit: Int64) throws(StoreError) -> Bool {
    let visitors = try all(
      "SELECT host, process, started FROM visitor WHERE visit = ? LIMIT 1000", [.integer(visit)]
    ) { row in
      VisitProcess(
        host: row.text(0, atMost: 256), process: row.integer(1), started: row.integer(2))
    }
    let host = VisitProcess.thisHost
    let gone = visitors.filter { $0.isGone(seenFrom: host) }
    for visitor in gone { try remove(visitor, from: visit) }
    return gone.count < visitors.count
  }

  @discardableResult
  fileprivate func remove(
    _ visitor: VisitProcess, from visit: Int64
  ) throws(StoreError) -> Int {
    try run(
      "DELETE FROM visitor WHERE visit = ? AND host = ? AND process = ? AND started = ?",
      [.integer(visit)] + visitor.values)
  }

  fileprivate func end(_ visit: Int64, of market: Int64, at time: Int64) throws(StoreError) {
    try run("DELETE FROM visitor WHERE visit = ?", .integer(visit))
    try run("UPDATE visit SET ended = ? WHERE id = ?", .integer(time), .integer(visit))
    try run(
      """
      DELETE FROM visit WHERE market = ?1 AND ended IS NOT NULL AND id NOT IN (
        SELECT id FROM visit WHERE market = ?1 AND ended IS NOT NULL
        ORDER BY ended DESC, id DESC LIMIT ?2)
      """, .integer(market), .integer(Self.maxVisits))
  }
}

extension VisitProcess {
  /// Host, process and start, as the table stores them.
  fileprivate var values: [SQLValue] { [.text(host), .integer(process), .integer(started)] }
}
