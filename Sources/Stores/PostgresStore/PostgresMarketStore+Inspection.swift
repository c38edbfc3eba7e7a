import MarketModel
import SQLiteKit
import StoreCore

extension PostgresMarketStore {
  /// Inspects a market's database without creating or changing tables.
  ///
  /// - Throws: what `open(at:pictureProcessor:options:)` throws.
  package static func inspect(
    at address: String
  ) async throws(RepositoryError) -> StoreInspection {
    let pool = ConnectionPool(
      "inspection", count: 1, to: address,
      options: PostgresOptions(timeoutMilliseconds: inspectionMilliseconds))
    do {
      return try await pool.use { connection throws(StoreError) in
        try SchemaMigration.inspection(over: connection)
      }
    } catch .disconnected(let reason) {
      throw .store(
        ConnectionRefusal.isFinal(at: address) ? .cannotOpen(reason) : .unavailable(reason))
    } catch {
      throw RepositoryError(error)
    }
  }

  static let inspectionMilliseconds = 5_000
}

extension SchemaMigration {
  /// State of the tables, and whether the role may write.
  /// - Throws: `.newerVersion`, `.beforeFirstRelease`; the statement's `StoreError`.
  static func inspection(
    over connection: PostgresConnection
  ) throws(StoreError) -> StoreInspection {
    let newest = newestVersion
    guard let version = try version(over: connection) else {
      return StoreInspection(
        .missing, version: newest, isWritable: try holds(Self.mayMakeTables, over: connection))
    }
    return StoreInspection(
      version == newest ? .current : .outdated(version: version), version: newest,
      isWritable: try holds(Self.mayWrite, over: connection))
  }

  private static let mayMakeTables = """
    NOT pg_is_in_recovery() AND current_setting('default_transaction_read_only') = 'off'
      AND coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)
    """
  private static let mayWrite = """
    NOT pg_is_in_recovery() AND current_setting('default_transaction_read_only') = 'off'
      AND has_table_privilege('product', 'INSERT') AND has_table_privilege('product', 'UPDATE')
    """

  private static func holds(
    _ condition: String, over connection: PostgresConnection
  ) throws(StoreError) -> Bool {
    try connection.run("SELECT CASE WHEN \(condition) THEN 1::bigint ELSE 0::bigint END").first?
      .integer(0) == 1
  }
}
