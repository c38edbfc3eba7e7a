import MarketModel
import SQLiteKit
import StoreCore

/// Log of changes of a database.
///
/// Transactions become visible in another order than that of their ids. So a cursor is the set of
/// transactions that were visible to its reader, as a snapshot describes it (PostgreSQL, "Transaction ID
/// and Snapshot Information Functions"), and the next changes are all that are visible now and were not
/// then. No transaction holds back the changes of another one.
/// - Throws: every call throws the `StoreError` of its statement.
extension PostgresConnection {
  /// Maximum number of open transactions in a cursor, which fits `ChangeCursor.maxBytes` with two such
  /// sets; more hold later transactions back.
  package static let maxOpen = 500

  private static let seconds = SQLDialect.postgres.now
  private static let nonce = "floor(random() * 4611686018427387904)::bigint"
  /// All reported transactions have lower ids.
  ///
  /// A standby does not know which transactions are open above the lowest.
  private static let horizon = """
    (SELECT CASE WHEN pg_is_in_recovery() THEN pg_snapshot_xmin(present)
      ELSE coalesce(
        (SELECT xip FROM pg_snapshot_xip(present) AS xip ORDER BY xip OFFSET \(maxOpen) LIMIT 1),
        pg_snapshot_xmax(present)) END
    FROM pg_current_snapshot() AS present)::text::bigint
    """
  private static let insertion = SQL(
    once: """
      INSERT INTO change (transaction, nonce, at, \(LoggedChange.columnNames))
      SELECT pg_current_xact_id()::text::bigint, \(nonce), \(seconds), \(LoggedChange.columnNames)
      FROM unnest($1, $2, $3, $4, $5) AS added (\(LoggedChange.columnNames))
      """)
  /// The last visible change, the open transactions below it, and whether the cursor's own row still
  /// exists.
  private static let present = SQL(
    once: """
      SELECT newest.transaction, newest.nonce,
        (SELECT string_agg(xip::text, ' ') FROM pg_snapshot_xip(pg_current_snapshot()) AS xip
          WHERE xip::text::bigint < newest.transaction),
        (SELECT 1::bigint FROM change WHERE transaction = $1 AND nonce = $2 LIMIT 1)
      FROM (
        SELECT transaction, nonce FROM change WHERE transaction < \(horizon)
        ORDER BY transaction DESC, id DESC LIMIT 1) AS newest
      """)
  /// Ordered by the changes' own ids: a product is locked while it is changed, but transactions that wait
  /// for the lock may have got lower ids.
  private static let unseen = SQL(
    once: """
      SELECT id, \(LoggedChange.columnNames) FROM (
        SELECT * FROM change WHERE transaction > $1 AND transaction < \(horizon)
        UNION ALL
        SELECT * FROM change WHERE transaction = ANY ($2) AND transaction < \(horizon)
      ) AS unseen
      WHERE id > $3 AND transaction <= $4 AND transaction <> ALL ($5) ORDER BY id LIMIT $6
      """)
  /// Deletes whole transactions from the start of the log, on one server at a time.
  private static let trimming = SQL(
    once: """
      WITH turn AS MATERIALIZED (
        SELECT pg_try_advisory_xact_lock(hashtext(current_schema() || '.change')) AS taken)
      DELETE FROM change WHERE (SELECT taken FROM turn) AND transaction <= (
        SELECT max(transaction) FROM (
          SELECT transaction, at FROM change ORDER BY transaction, id LIMIT $1) AS oldest
        WHERE at < \(seconds) - $2 AND transaction < (
          SELECT transaction FROM change ORDER BY transaction DESC OFFSET $3 LIMIT 1))
      """)

  /// A text that changes with the set of visible changes, and with the server.
  ///
  /// Below the oldest open transaction everything is decided. Otherwise the text includes the
  /// transactions that are open below the newest visible change; a standby does not know them, but there
  /// the number of visible undecided changes only grows. Of two servers one may lack a change below its
  /// newest, so the text includes the server's start. The renewal of the search index, which changes only
  /// searches, rewrites the row of `search_index`.
  private static let version: SQL = """
    SELECT concat_ws(' ', extract(epoch FROM pg_postmaster_start_time()),
      (SELECT xmin::text FROM search_index), newest.transaction, newest.nonce,
      CASE
        WHEN newest.transaction < pg_snapshot_xmin(present)::text::bigint THEN ''
        WHEN pg_is_in_recovery() THEN pg_snapshot_xmin(present)::text || ':' || (
          SELECT count(*) FROM change
          WHERE transaction >= pg_snapshot_xmin(present)::text::bigint)
        ELSE (SELECT string_agg(xip::text, ':' ORDER BY xip) FROM pg_snapshot_xip(present) AS xip
          WHERE xip::text::bigint < newest.transaction)
      END)
    FROM pg_current_snapshot() AS present, (
      SELECT transaction, nonce FROM change ORDER BY transaction DESC, id DESC LIMIT 1) AS newest
    """
  private static let next = "pg_snapshot_xmax(pg_current_snapshot())::text::bigint"

  package func log(_ changes: [LoggedChange]) throws(StoreError) {
    guard numbersTransactions, !changes.isEmpty else { return }
    let rows = changes.map(\.columns)
    try post(
      Self.insertion, (0..<5).map { column in .integers(rows.map { $0[column] }) })
    // At random: a row's number is known only to a caller that waits for it.
    if Int64.random(in: 0..<LogRetention.changesBetweenTrims) == 0 { try trimLog(to: .standard) }
  }

  /// Deletes the oldest changes beyond the retention, a limited number at a time.
  func trimLog(to retention: LogRetention) throws(StoreError) {
    try post(
      Self.trimming,
      [
        .integer(LogRetention.trimmedAtOnce), .integer(retention.seconds),
        .integer(retention.count),
      ])
  }

  /// Whether the log is empty, or contains changes of transactions that this database has not reached, as
  /// after tables were copied from another one.
  func logNeedsRepair() throws(StoreError) -> Bool {
    guard numbersTransactions else { return false }
    return try run(
      """
      SELECT 1::bigint FROM change WHERE transaction >= \(Self.next)
      UNION ALL SELECT 1::bigint WHERE NOT EXISTS (SELECT 1 FROM change) LIMIT 1
      """
    ).count > 0
  }

  /// Deletes such changes, whose transaction ids will be used again.
  func repairLog() throws(StoreError) {
    try post("DELETE FROM change WHERE transaction >= \(Self.next)")
    try post(
      """
      INSERT INTO change (transaction, nonce, at, kind)
      SELECT 0, \(Self.nonce), 0, 4 WHERE NOT EXISTS (SELECT 1 FROM change)
      """)
  }

  /// The present version of the data; `.unsupported` where the engine has no transaction ids.
  func logVersion() throws(StoreError) -> VersionPoller.Answer {
    guard numbersTransactions else { return .unsupported }
    return try run(Self.version).first.map { .state($0.text(0)) } ?? .unknown
  }

  /// As `ChangeLog.changes(after:atMost:)`; nil where the engine has no transaction ids.
  func loggedChanges(after cursor: ChangeCursor?, atMost limit: Int) -> Reading<ChangeBatch?> {
    guard numbersTransactions else { return Reading(nil) }
    let limit = max(1, limit)
    let asked = cursor.flatMap { DatabaseCursor($0) }
    return together(Self.present(asked), Self.unseen(after: asked, atMost: limit)).map {
      found, rows throws(StoreError) in
      let (present, isKnown) = try found.orDamaged()
      let reset = ChangeBatch(
        changes: [], cursor: DatabaseCursor(seen: present).cursor, isReset: cursor != nil)
      guard let cursor, let asked, isKnown else { return reset }
      // A standby may be behind the cursor.
      guard present.newest >= asked.seen.newest else {
        return ChangeBatch(changes: [], cursor: cursor)
      }
      var changes: [MarketChange] = []
      for row in rows {
        guard case .one(let change) = row.change else { return reset }
        changes.append(change)
      }
      // A full batch may be followed by more.
      let last = rows.count == limit ? rows.last?.id : nil
      return ChangeBatch(changes: changes, cursor: asked.next(after: last, on: present).cursor)
    }
  }

  /// The present position, and whether a cursor's own row still exists.
  private static func present(
    _ cursor: DatabaseCursor?
  ) -> Reading<(seen: SeenTransactions, isKnown: Bool)?> {
    let seen = cursor?.seen
    return Reading(
      first: present, [.integer(seen?.newest ?? -1), .integer(seen?.nonce ?? -1)]
    ) { (seen: SeenTransactions(in: $0), isKnown: $0.integer(3) == 1) }
  }

  /// The changes after a cursor; none for nil.
  private static func unseen(
    after cursor: DatabaseCursor?, atMost limit: Int
  ) -> Reading<[(id: Int64, change: LoggedChange)]> {
    var rows: [(id: Int64, change: LoggedChange)] = []
    let query = Query(
      unseen,
      [
        .integer(cursor?.seen.newest ?? .max), .integers(cursor?.seen.open ?? []),
        .integer(cursor?.partial?.last ?? .min), .integer(cursor?.partial?.end.newest ?? .max),
        .integers(cursor?.partial?.end.open ?? []), .integer(Int64(limit)),
      ]
    ) { rows.append((id: $0.integer(0), change: LoggedChange(in: $0, from: 1))) }
    return Reading([query]) { rows }
  }
}
