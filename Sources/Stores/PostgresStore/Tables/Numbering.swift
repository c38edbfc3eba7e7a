/// Gives numbers to rows.
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
