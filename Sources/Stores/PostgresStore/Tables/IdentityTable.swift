import MarketModel
import SQLiteKit
import StoreCore

/// The id of a market's tables, beside the place of the tables that it was given to.
///
/// A dump that is restored elsewhere has the same row at another place. The server that opens it first
/// gives it an id of its own, so that never two markets go on under one id.
struct IdentityTable {
  private let connection: PostgresConnection

  init(_ connection: PostgresConnection) {
    self.connection = connection
  }

  /// What the tables say; the id is nil where it is none.
  func row() throws(StoreError) -> (id: MarketID?, location: String)? {
    try connection.run("SELECT text, place FROM market_id WHERE id = 1").first.map { row in
      (MarketID(row.text(0)), row.text(1))
    }
  }

  /// Where these tables are: cluster, database and table, by the numbers that PostgreSQL gave them.
  ///
  /// Who may not ask for the cluster's number gets 0 in its place (`isSame`): the table's own number is
  /// then what a restored dump differs by.
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

  /// Whether two places are one; a cluster's number of 0 is any, for servers of one database may have
  /// different rights.
  static func isSame(_ location: String, _ other: String) -> Bool {
    let (numbers, others) = (location.split(separator: "-"), other.split(separator: "-"))
    guard let cluster = numbers.first, let another = others.first else { return location == other }
    return numbers.dropFirst() == others.dropFirst()
      && (cluster == another || cluster == "0" || another == "0")
  }

  /// Gives the tables an id where they have none of their own; of several servers the first one does.
  ///
  /// - Parameters:
  ///   - location: where the tables are.
  ///   - former: the place that they say, as it was read.
  /// - Throws: where nothing can be written.
  func settle(at location: String, insteadOf former: String?) throws(StoreError) {
    try connection.post(
      """
      INSERT INTO market_id (id, text, place) VALUES (1, $1, $2)
      ON CONFLICT (id) DO UPDATE SET text = excluded.text, place = excluded.place
      WHERE (market_id.place = $3 AND market_id.place <> excluded.place)
        OR market_id.text !~ '^[0-9a-f]{32}$'
      """, [.text(MarketID.random().text), .text(location), .text(former ?? "")])
  }
}
