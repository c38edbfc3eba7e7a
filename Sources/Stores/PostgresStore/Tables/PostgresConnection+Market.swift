import MarketModel
import SQLiteKit
import StoreCore

/// Operations of a market that PostgreSQL does differently from SQLite.
///
/// - Throws: every call throws the `StoreError` of its statement.
extension PostgresConnection: MarketDatabase {
  package var dialect: SQLDialect { .postgres }

  package func storedBytes() throws(StoreError) -> Int64 {
    try integer("SELECT pg_database_size(current_database())") ?? 0
  }

  package func skipNumbers(upTo number: Int64, in table: NumberedTable) throws(StoreError) {
    guard number > 0 else { return }
    let name = table.sequence
    try post(
      "SELECT setval('\(name)', $1) FROM \(name) WHERE last_value < $1 OR NOT is_called",
      [.integer(number)])
  }

  package func newProductIDs(_ count: Int, above last: Int64) throws(StoreError) -> [Int64] {
    try skipNumbers(upTo: last, in: .product)
    return try all(
      """
      SELECT nextval(pg_get_serial_sequence('product', 'id'))
      FROM generate_series(1, $1::bigint)
      """, [.integer(Int64(count))]
    ) { $0.integer(0) }.sorted()
  }

  package func setName(of seller: Seller, to name: String) throws(StoreError) {
    try sellers.setName(of: seller, to: name)
    try post(
      """
      INSERT INTO seller_renaming (seller, below) VALUES ($1, $2)
      ON CONFLICT (seller) DO UPDATE SET below = excluded.below
      """, .integer(seller.id.rawValue), .integer(.max))
  }

  package func nextRenamed() throws(StoreError) -> (seller: Seller.ID, last: Int64)? {
    try first(
      "SELECT seller, below FROM seller_renaming ORDER BY seller LIMIT 1 FOR UPDATE SKIP LOCKED"
    ) { row in (seller: Seller.ID(rawValue: row.integer(0)), last: row.integer(1) - 1) }
  }

  package func hasPreviousNames() throws(StoreError) -> Bool {
    try integer("SELECT 1 FROM seller_renaming LIMIT 1") != nil
  }

  /// The caller has locked the row.
  package func recordPreviousNames(of seller: Seller.ID, upTo last: Int64?) throws(StoreError) {
    let seller = SQLValue.integer(seller.rawValue)
    if let last {
      try post(
        "UPDATE seller_renaming SET below = $1 WHERE seller = $2", .integer(last + 1), seller)
    } else {
      try post("DELETE FROM seller_renaming WHERE seller = $1", seller)
    }
  }

  package func highestID(in table: NumberedTable) throws(StoreError) -> Int64 {
    try first("SELECT last_value FROM \(table.sequence) WHERE is_called") { $0.count(0) } ?? 0
  }

  /// Whether the database takes no writes, as a standby.
  func isReadOnly() throws(StoreError) -> Bool {
    try integer(
      """
      SELECT CASE WHEN pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on'
        THEN 1::bigint ELSE 0::bigint END FROM market_schema
      """) != 0
  }
}

extension NumberedTable {
  /// The sequence of its ids.
  var sequence: String { rawValue + "_id_seq" }
}
