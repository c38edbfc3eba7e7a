import MarketModel
import StoreCore

/// The tables of a market's database, over one connection.
package struct PostgresTables: MarketTables {
  let connection: PostgresConnection

  package var products: ProductQueries { ProductQueries(connection) }
  package var changes: ProductChanges { ProductChanges(connection) }
  package var registrations: Registrations { Registrations(connection) }
  package var sellers: Sellers { Sellers(connection) }
  package var pictures: Pictures { Pictures(connection) }
  package var attempts: PasswordAttemptRows { PasswordAttemptRows(connection) }
  package var arrivals: ImportWriter { ImportWriter(connection) }
  package var log: LogTable { LogTable(connection) }
  var pages: PageQueries { PageQueries(connection) }

  init(_ connection: PostgresConnection) {
    self.connection = connection
  }

  package func storedBytes() throws(PostgresError) -> Int64 {
    try connection.run("SELECT pg_database_size(current_database())").first?.integer(0) ?? 0
  }

  package func serverKey() throws(PostgresError) -> [UInt8] {
    try connection.post(
      "INSERT INTO server_key (id, bytes) VALUES (1, $1) ON CONFLICT DO NOTHING",
      [.bytes(ServerSignature.newKey())])
    return try connection.run("SELECT bytes FROM server_key").first?.bytes(0) ?? []
  }

  package func marketID() throws(PostgresError) -> MarketID? {
    try IdentityTable(connection).row()?.id
  }

  package func renewIndex(
    below: Int64, tokenizer: SearchTokenizer
  ) throws(PostgresError) -> IndexRenewal {
    try SearchIndexBackfill(connection).renew(below: below, tokenizer)
  }

  /// The database's clock, in seconds since 1970.
  func clockSeconds() throws(PostgresError) -> Int64 {
    try connection.run("SELECT floor(extract(epoch FROM now()))::bigint").first?.integer(0) ?? 0
  }

  /// Whether nobody can write, as to a copy that follows another database.
  func isReadOnly() throws(PostgresError) -> Bool {
    try connection.run(
      """
      SELECT CASE WHEN pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on'
        THEN 1::bigint ELSE 0::bigint END FROM market_schema
      """
    ).first?.integer(0) != 0
  }
}

extension PostgresRow: StoredRow {}

extension Optional {
  /// The value that a `StoredRow` could read; where it could not, the tables hold what no market
  /// writes (`data_corrupted`).
  func orDamaged() throws(PostgresError) -> Wrapped {
    guard let self else { throw .failed(state: "XX001") }
    return self
  }
}

/// Numbers of new rows, from the database's sequences.
struct Numbering {
  /// A sequence of the database, named after its table.
  enum Sequence: String {
    case product = "product_id_seq"
    case seller = "seller_id_seq"
  }

  private let connection: PostgresConnection

  init(_ connection: PostgresConnection) {
    self.connection = connection
  }

  /// Numbers of products that do not exist yet, rising.
  func newProductIDs(_ count: Int) throws(PostgresError) -> [Int64] {
    try connection.run(
      """
      SELECT nextval(pg_get_serial_sequence('product', 'id'))
      FROM generate_series(1, $1::bigint)
      """, [.integer(Int64(count))]
    ).map { $0.integer(0) }.sorted()
  }

  /// Makes a sequence go on behind a number that it has not given.
  func pass(_ number: Int64, in sequence: Sequence) throws(PostgresError) {
    let name = sequence.rawValue
    try connection.post(
      "SELECT setval('\(name)', $1) FROM \(name) WHERE last_value < $1 OR NOT is_called",
      [.integer(number)])
  }
}
