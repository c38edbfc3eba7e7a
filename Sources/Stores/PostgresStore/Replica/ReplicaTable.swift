import MarketModel
import SQLiteKit
import StoreCore

/// Queries for replication progress, by WAL positions (PostgreSQL, "Backup Control Functions" and
/// "Recovery Information Functions").
///
/// - Throws: every call throws the `StoreError` of its statement.
extension PostgresConnection {
  private static let server = "extract(epoch FROM pg_postmaster_start_time())::text"
  /// WAL that is written to disk: a standby receives nothing beyond.
  private static let written = position(
    "CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END")
  /// Includes asynchronous commits that are only in memory; without such a commit this position may be
  /// the start of a page that is never replayed.
  private static let committed = position(
    """
    CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()
      WHEN current_setting('synchronous_commit') = 'off' THEN pg_current_wal_insert_lsn()
      ELSE pg_current_wal_lsn() END
    """)
  /// The position is read after the snapshot was taken, so it belongs to no earlier state.
  private static let replicationState = SQL(
    once: """
      SELECT \(written), \(server), newest.transaction, newest.nonce
      FROM (SELECT transaction, nonce FROM change ORDER BY transaction DESC, id DESC LIMIT 1) AS newest
      """)
  private static let replicationReport = SQL(
    once: """
      SELECT CASE WHEN pg_is_in_recovery() THEN \(position("pg_last_wal_replay_lsn()")) END, \(server),
        (SELECT string_agg(DISTINCT nonce::text, ' ') FROM change
          WHERE transaction = ANY ($1) AND nonce = ANY ($2))
      """)

  private static func position(_ log: String) -> String {
    "((\(log)) - '0/0'::pg_lsn)::bigint"
  }

  /// Query for a position after everything committed before.
  static let positionQuestion = SQL(once: "SELECT \(committed)")

  /// The state of the market; nil where the engine does not report positions.
  func replicationState() throws(StoreError) -> ReplicationProgress.State? {
    guard numbersTransactions else { return nil }
    return try first(Self.replicationState) { row in
      ReplicationProgress.State(
        position: MarketPosition(rawValue: row.integer(0)), server: row.text(1),
        transaction: row.integer(2), nonce: row.integer(3))
    }
  }

  /// A standby's report on some states; nil where the engine does not report positions, or the next
  /// connection may lead to another server.
  func replicationReport(
    on states: [ReplicationProgress.State]
  ) throws(StoreError) -> ReplicationProgress.Report? {
    guard numbersTransactions, server != nil else { return nil }
    return try first(
      Self.replicationReport,
      [.integers(states.map(\.transaction)), .integers(states.map(\.nonce))]
    ) { row in
      ReplicationProgress.Report(
        position: row.isNull(0) ? nil : MarketPosition(rawValue: row.integer(0)),
        server: row.text(1),
        nonces: Set(row.text(2).split(separator: " ").compactMap { Int64($0) }))
    }
  }

  /// A position after everything committed before; nil where the engine does not report positions.
  func position() throws(StoreError) -> MarketPosition? {
    guard numbersTransactions else { return nil }
    return try first(Self.positionQuestion) { MarketPosition(rawValue: $0.integer(0)) }
  }
}

extension PostgresMarketStore {
  package func presentPosition() async -> MarketPosition? {
    await answer(before: nil) { connection throws(StoreError) in try connection.position() }
  }

  /// The result of a progress query; nil where the database does not answer in time.
  func answer<Answer: Sendable>(
    before end: ContinuousClock.Instant?,
    _ body: @escaping @Sendable (PostgresConnection) throws(StoreError) -> Answer?
  ) async -> Answer? {
    let timeout = ContinuousClock.now + RequestDeadline.remaining(atMost: Self.versionTimeout)
    return try? await reserved.use(before: min(end ?? timeout, timeout)) {
      connection throws(StoreError) in
      try connection.transact(.none) { () throws(StoreError) -> Outcome<Answer?> in
        .success(try body(connection))
      }
    }.get()
  }
}
