import MarketModel
import SQLiteKit
import StoreCore

/// The log of changes of a database.
///
/// Transactions become visible in another order than that of their numbers, so a place in the log is
/// what was visible to its reader, as a snapshot says it (PostgreSQL, "Transaction ID and Snapshot
/// Information Functions"), and what follows is all that is visible now and was not then. No
/// transaction keeps the changes of another one back.
struct LogTable {
  /// More transactions than this that are open at once keep the later ones back, so that a place
  /// has a bounded length.
  fileprivate static let maxOpen = 500

  private static let seconds = "floor(extract(epoch FROM now()))::bigint"
  private static let mark = "floor(random() * 4611686018427387904)::bigint"
  private static let insertion = SQL(
    once: """
      INSERT INTO change (transaction, mark, at, \(LoggedChange.columnNames))
      SELECT pg_current_xact_id()::text::bigint, \(mark), \(seconds), \(LoggedChange.columnNames)
      FROM unnest($1, $2, $3, $4) AS added (\(LoggedChange.columnNames))
      """)
  /// All transactions that are told have lower numbers.
  ///
  /// A database that follows another one does not know which are open above the lowest.
  private static let horizon = """
    (SELECT CASE WHEN pg_is_in_recovery() THEN pg_snapshot_xmin(present)
      ELSE coalesce(
        (SELECT xip FROM pg_snapshot_xip(present) AS xip ORDER BY xip OFFSET \(maxOpen) LIMIT 1),
        pg_snapshot_xmax(present)) END
    FROM pg_current_snapshot() AS present)::text::bigint
    """
  /// What is visible now, by the last visible change, and whether the place's own is still there.
  private static let present = SQL(
    once: """
      SELECT newest.transaction, newest.mark,
        (SELECT string_agg(xip::text, ' ') FROM pg_snapshot_xip(pg_current_snapshot()) AS xip
          WHERE xip::text::bigint < newest.transaction),
        (SELECT 1::bigint FROM change WHERE transaction = $1 AND mark = $2 LIMIT 1)
      FROM (
        SELECT transaction, mark FROM change WHERE transaction < \(horizon)
        ORDER BY transaction DESC, id DESC LIMIT 1) AS newest
      """)
  /// One text that is another one once another set of changes is visible, or another server tells.
  ///
  /// Below the oldest open transaction everything is decided. Otherwise those that are open below the
  /// newest visible change belong to it; a database that follows another one does not know them, but
  /// the visible ones among the undecided only become more. Of two servers one may lack a change
  /// below its newest one, so it says since when it runs. What changes nothing that is told, but what
  /// searches find, writes the row of `market_schema` anew (`SearchIndexBackfill`).
  private static let version: SQL = """
    SELECT concat_ws(' ', extract(epoch FROM pg_postmaster_start_time()),
      (SELECT xmin::text FROM market_schema), newest.transaction, newest.mark,
      CASE
        WHEN newest.transaction < pg_snapshot_xmin(present)::text::bigint THEN ''
        WHEN pg_is_in_recovery() THEN pg_snapshot_xmin(present)::text || ':' || (
          SELECT count(*) FROM change
          WHERE transaction >= pg_snapshot_xmin(present)::text::bigint)
        ELSE (SELECT string_agg(xip::text, ':' ORDER BY xip) FROM pg_snapshot_xip(present) AS xip
          WHERE xip::text::bigint < newest.transaction)
      END)
    FROM pg_current_snapshot() AS present, (
      SELECT transaction, mark FROM change ORDER BY transaction DESC, id DESC LIMIT 1) AS newest
    """
  /// In the order of the changes' own numbers: a product is locked while it is changed, but the
  /// transactions that wait for it may have got their numbers before.
  private static let unseen = SQL(
    once: """
      SELECT id, \(LoggedChange.columnNames) FROM (
        SELECT * FROM change WHERE transaction > $1 AND transaction < \(horizon)
        UNION ALL
        SELECT * FROM change WHERE transaction = ANY ($2) AND transaction < \(horizon)
      ) AS unseen
      WHERE id > $3 AND transaction <= $4 AND transaction <> ALL ($5) ORDER BY id LIMIT $6
      """)
  /// Whole transactions from the beginning on, by one server at a time.
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
  private static let next = "pg_snapshot_xmax(pg_current_snapshot())::text::bigint"

  private let connection: PostgresConnection

  init(_ connection: PostgresConnection) {
    self.connection = connection
  }

  func add(_ changes: [LoggedChange]) throws(StoreError) {
    guard connection.numbersTransactions, !changes.isEmpty else { return }
    let rows = changes.map(\.columns)
    try connection.post(
      Self.insertion, (0..<4).map { column in .integers(rows.map { $0[column] }) })
    // By chance: the number of a row is known only to those who wait for it.
    if Int64.random(in: 0..<LogRetention.pace) == 0 { try trim(to: .standard) }
  }

  /// Takes the oldest changes away, as far as they need not be kept, a bounded number at a time.
  func trim(to kept: LogRetention) throws(StoreError) {
    try connection.post(
      Self.trimming,
      [.integer(LogRetention.trimmedAtOnce), .integer(kept.seconds), .integer(kept.count)])
  }

  /// Whether the log holds changes of transactions that this database has not come to, as after
  /// tables were copied from another one, or nothing at all.
  func needsRepair() throws(StoreError) -> Bool {
    guard connection.numbersTransactions else { return false }
    return try connection.run(
      """
      SELECT 1::bigint FROM change WHERE transaction >= \(Self.next)
      UNION ALL SELECT 1::bigint WHERE NOT EXISTS (SELECT 1 FROM change) LIMIT 1
      """
    ).count > 0
  }

  /// Forgets such changes: the numbers will be those of others.
  func repair() throws(StoreError) {
    try connection.post("DELETE FROM change WHERE transaction >= \(Self.next)")
    try connection.post(
      """
      INSERT INTO change (transaction, mark, at, kind)
      SELECT 0, \(Self.mark), 0, 4 WHERE NOT EXISTS (SELECT 1 FROM change)
      """)
  }

  /// What tells whether anything has changed since it was asked last.
  func version() throws(StoreError) -> VersionPoller.Answer {
    guard connection.numbersTransactions else { return .never }
    return try connection.run(Self.version).first.map { .mark($0.text(0)) } ?? .unknown
  }

  /// As `ChangeLog.changes(after:atMost:)`; nil where the database does not number transactions.
  ///
  /// The transaction around it ends with it.
  func lastChanges(
    after cursor: ChangeCursor?, atMost limit: Int
  ) throws(StoreError) -> ChangeBatch? {
    guard connection.numbersTransactions else { return nil }
    let limit = max(1, limit)
    let asked = cursor.flatMap { DatabaseCursor($0) }
    var statements = [
      PostgresStatement(
        Self.present,
        [.integer(asked?.seen.newest ?? -1), .integer(asked?.seen.mark ?? -1)])
    ]
    if let asked { statements.append(Self.unseen(after: asked, atMost: limit)) }
    let answers = try connection.run(statements + [.commit])
    let row = try answers[0].first.orDamaged()
    let present = SeenTransactions(in: row)
    let reset = ChangeBatch(
      changes: [], cursor: DatabaseCursor(seen: present).cursor, isReset: cursor != nil)
    guard let cursor, let asked, row.integer(3) == 1 else { return reset }
    // A database that follows another one may be behind it.
    guard present.newest >= asked.seen.newest else {
      return ChangeBatch(changes: [], cursor: cursor)
    }
    let rows = answers[1].map { (id: $0.integer(0), change: LoggedChange(in: $0, from: 1)) }
    var changes: [MarketChange] = []
    for row in rows {
      guard case .one(let change) = row.change else { return reset }
      changes.append(change)
    }
    let next = asked.place(
      after: rows.count == limit ? rows.last?.id : nil, on: present)
    return ChangeBatch(changes: changes, cursor: next.cursor)
  }

  private static func unseen(after cursor: DatabaseCursor, atMost limit: Int) -> PostgresStatement {
    PostgresStatement(
      unseen,
      [
        .integer(cursor.seen.newest), .integers(cursor.seen.open),
        .integer(cursor.rest?.last ?? .min), .integer(cursor.rest?.end.newest ?? .max),
        .integers(cursor.rest?.end.open ?? []), .integer(Int64(limit)),
      ])
  }
}
