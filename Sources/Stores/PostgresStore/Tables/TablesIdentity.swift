import SQLiteKit
import StoreCore

/// Identity of a market's tables: cluster, database and table, by their PostgreSQL identifiers.
///
/// A role that may not read the cluster's identifier gets 0 in its place (`isSame`): a restored dump then
/// still differs in the table's OID.
enum TablesIdentity {
  static func location(over connection: PostgresConnection) throws(StoreError) -> String {
    let row = try connection.run(
      """
      SELECT coalesce((SELECT oid::bigint FROM pg_database WHERE datname = current_database()), 0),
        coalesce(to_regclass('market_id')::oid::bigint, 0)
      """
    ).first
    let numbers = [try cluster(over: connection), row?.integer(0) ?? 0, row?.integer(1) ?? 0]
    return numbers.map { String($0) }.joined(separator: "-")
  }

  private static func cluster(over connection: PostgresConnection) throws(StoreError) -> Int64 {
    guard connection.numbersTransactions else { return 0 }
    let mayAsk = try connection.integer(
      """
      SELECT CASE WHEN has_function_privilege(to_regprocedure('pg_control_system()')::oid, 'EXECUTE')
        THEN 1::bigint ELSE 0::bigint END
      """)
    guard mayAsk == 1 else { return 0 }
    return try connection.integer("SELECT system_identifier FROM pg_control_system()") ?? 0
  }

  /// Whether two identities are equal; a cluster of 0 equals any, since roles of one database may have
  /// different rights.
  static func isSame(_ location: String, _ other: String) -> Bool {
    let (numbers, others) = (location.split(separator: "-"), other.split(separator: "-"))
    guard let cluster = numbers.first, let another = others.first else { return location == other }
    return numbers.dropFirst() == others.dropFirst()
      && (cluster == another || cluster == "0" || another == "0")
  }
}
