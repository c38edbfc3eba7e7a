import MarketModel
import SQLiteKit
import StoreCore

/// Id of a market's tables, with the identity of the tables that it was given to.
///
/// A restored dump has the same row but another table identity. The first server that opens it gives it
/// an id of its own, so that no two markets share one.
/// Every call throws the `StoreError` of its statement.
struct IdentityTable {
  private let connection: PostgresConnection

  init(_ connection: PostgresConnection) {
    self.connection = connection
  }

  /// The stored row; the id is nil where it is invalid.
  func row() throws(StoreError) -> (id: MarketID?, location: String)? {
    try connection.run("SELECT text, location FROM market_id WHERE id = 1").first.map { row in
      (MarketID(row.text(0)), row.text(1))
    }
  }

  /// Identity of these tables: cluster, database and table, by their PostgreSQL identifiers.
  ///
  /// A role that may not read the cluster's identifier gets 0 in its place (`isSame`): a restored dump
  /// then still differs in the table's OID.
  func location() throws(StoreError) -> String {
    let row = try connection.run(
      """
      SELECT coalesce((SELECT oid::bigint FROM pg_database WHERE datname = current_database()), 0),
        coalesce(to_regclass('market_id')::oid::bigint, 0)
      """
    ).first
    let numbers = [try cluster(), row?.integer(0) ?? 0, row?.integer(1) ?? 0]
    return numbers.map { String($0) }.joined(separator: "-")
  }

  private func cluster() throws(StoreError) -> Int64 {
    guard connection.numbersTransactions else { return 0 }
    let mayAsk = try connection.run(
      """
      SELECT CASE WHEN has_function_privilege(to_regprocedure('pg_control_system()')::oid, 'EXECUTE')
        THEN 1::bigint ELSE 0::bigint END
      """
    ).first?.integer(0)
    guard mayAsk == 1 else { return 0 }
    return try connection.run("SELECT system_identifier FROM pg_control_system()").first?
      .integer(0) ?? 0
  }

  /// Whether two identities are equal; a cluster of 0 equals any, since roles of one database may have
  /// different rights.
  static func isSame(_ location: String, _ other: String) -> Bool {
    let (numbers, others) = (location.split(separator: "-"), other.split(separator: "-"))
    guard let cluster = numbers.first, let another = others.first else { return location == other }
    return numbers.dropFirst() == others.dropFirst()
      && (cluster == another || cluster == "0" || another == "0")
  }

  /// Gives the tables an id where they have none of their own; of several servers the first succeeds.
  ///
  /// - Parameters:
  ///   - location: identity of the tables.
  ///   - known: the identity in the row that was read; nil for none.
  /// - Throws: `.readOnly` or `.cannotOpen` where the row cannot be written; the statement's other
  ///   errors.
  func settle(at location: String, insteadOf known: String?) throws(StoreError) {
    try connection.post(
      """
      INSERT INTO market_id (id, text, location) VALUES (1, $1, $2)
      ON CONFLICT (id) DO UPDATE SET text = excluded.text, location = excluded.location
      WHERE (market_id.location = $3 AND market_id.location <> excluded.location)
        OR market_id.text !~ '^[0-9a-f]{32}$'
      """, [.text(MarketID.random().text), .text(location), .text(known ?? "")])
  }
}
