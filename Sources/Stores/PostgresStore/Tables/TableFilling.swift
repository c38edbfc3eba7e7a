import DispatchBridge
import Glibc
import MarketModel
import SQLiteKit
import StoreCore

/// Import into empty tables that no other session uses, in one transaction: their indexes and references
/// are dropped first and made at its end, which takes a fraction of keeping them up to date row by row.
///
/// Others wait for the tables meanwhile. An import that ends early leaves the tables as they were.
actor TableFilling {
  private static let tables = ["product", "product_text", "product_picture", "product_search"]

  private let executor = QueueExecutor(label: "market.postgres.filling")
  private let address: String
  private var connection: PostgresConnection?
  /// Statements that make again what was dropped.
  private var restoration: [String] = []

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  init(of address: String) {
    self.address = address
  }

  /// Begins the transaction; false, and nothing has changed, where the tables have products, or the
  /// database has other sessions than those that `ownCount` returns for this store.
  /// - Throws: the error of connecting; the statement's `StoreError`.
  func begin(besides ownCount: @Sendable () -> Int) throws(StoreError) -> Bool {
    let opened = try PostgresConnection(to: address, .unhurried)
    // Behind a pooler, time limits of its own could end the transaction.
    guard opened.numbersTransactions, !opened.isPooled, try isOnlyUser(opened, ownCount) else {
      return false
    }
    try opened.execute(
      """
      BEGIN; SET LOCAL lock_timeout = 1000;
      LOCK TABLE \(Self.tables.joined(separator: ", ")) IN ACCESS EXCLUSIVE MODE
      """)
    guard try opened.integer("SELECT id FROM product LIMIT 1") == nil else { return false }
    let changes = try opened.run(SQL(Self.changes)).map { ($0.text(0), $0.text(1)) }
    for change in changes { try opened.execute(change.0) }
    // A changed sequence takes its numbers back with the transaction, so that they are free when the
    // import is repeated.
    for table in [NumberedTable.product, .seller, .question] {
      try opened.execute("ALTER SEQUENCE \(table.sequence) CACHE 1")
    }
    try opened.execute("SET LOCAL lock_timeout = 0")
    restoration = changes.map(\.1)
    connection = opened
    return true
  }

  /// Whether no other session uses the database; a closed one takes a moment to end.
  ///
  /// PostgreSQL hides the type of sessions of other roles, but not their user, which its own processes lack.
  private func isOnlyUser(
    _ opened: PostgresConnection, _ ownCount: @Sendable () -> Int
  ) throws(StoreError) -> Bool {
    for _ in 0..<20 {
      let sessions = try opened.integer(
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND usesysid IS NOT NULL
          AND coalesce(backend_type, 'client backend') = 'client backend'
        """)
      if sessions == Int64(ownCount()) + 1 { return true }
      usleep(25_000)
    }
    return false
  }

  /// Statements that drop the indexes and references, each with one that makes it again.
  private static let changes = """
    WITH filled AS (SELECT name::regclass AS id FROM unnest(ARRAY['\(tables.joined(separator: "', '"))']) AS name)
    SELECT 'DROP INDEX ' || indexrelid::regclass, pg_get_indexdef(indexrelid)
    FROM pg_index JOIN filled ON indrelid = id WHERE NOT indisunique
    UNION ALL
    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', id, conname),
      format('ALTER TABLE %s ADD CONSTRAINT %I %s', id, conname, pg_get_constraintdef(oid))
    FROM pg_constraint JOIN filled ON conrelid = id WHERE contype = 'f'
    """

  /// Runs a body as a part of the transaction, which is undone where it fails or refuses.
  /// - Throws: what the body throws; `.disconnected` after the end of the transaction.
  func run<Answer: Sendable>(
    _ body: @Sendable (PostgresConnection) throws(StoreError) -> Outcome<Reading<Answer>>
  ) throws(StoreError) -> Outcome<Answer> {
    guard !Task.isCancelled else { throw .cancelled }
    guard let connection else { throw .disconnected("") }
    return try connection.answer(.part) { () throws(StoreError) in try body(connection) }
  }

  /// Makes indexes and references, and commits.
  /// - Throws: the statement's `StoreError`, and then nothing of the import is left; `.commitUnknown` where
  ///   the connection was lost during the commit.
  func end() throws(StoreError) {
    guard let connection else { throw .disconnected("") }
    self.connection = nil
    for statement in restoration { try connection.execute(statement) }
    do {
      try connection.execute("COMMIT")
    } catch .disconnected {
      throw .commitUnknown
    }
  }
}
