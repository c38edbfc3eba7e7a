import MarketModel
import StoreCore

/// Makes complete the search rows that servers of older versions have written, some at a time, while
/// others read and write.
struct SearchRenewal {
  private static let batch = 500
  private static let selection = """
    SELECT product_search.product, product.name, description, seller.name FROM product_search
    JOIN product ON product.id = product_search.product
    JOIN product_text ON product_text.product = product.id
    JOIN seller ON seller.id = product.seller
    WHERE \(GramHashes.isIncomplete) LIMIT \(batch) FOR UPDATE OF product_search SKIP LOCKED
    """
  private static let update = """
    UPDATE product_search SET words = listed.words, grams = listed.grams::integer[]
    FROM unnest($1, $2, $3) AS listed (product, words, grams)
    WHERE product_search.product = listed.product
    """

  private let connections: ConnectionPool
  private let tokenizer: SearchTokenizer

  init(over connections: ConnectionPool, tokenizer: SearchTokenizer) {
    self.connections = connections
    self.tokenizer = tokenizer
  }

  /// Makes all rows complete; where the database may not be written to they stay as they are, and
  /// searches compare them.
  func run() async throws(PostgresError) {
    do {
      try await renewAll()
    } catch .readOnly {
    }
  }

  private func renewAll() async throws(PostgresError) {
    let tokenizer = tokenizer
    var count = Self.batch
    // The last rows may be another server's, which makes them complete itself.
    while count == Self.batch {
      count = try await connections.retrying(isRepeatable: true) {
        connection throws(PostgresError) in
        var renewed = 0
        _ = try connection.transact(.writing) { () throws(PostgresError) -> Outcome<Void> in
          renewed = try Self.renewSome(over: connection, tokenizer)
          return .success(())
        }
        return renewed
      }
    }
  }

  /// Makes some rows complete, and answers how many.
  private static func renewSome(
    over connection: PostgresConnection, _ tokenizer: SearchTokenizer
  ) throws(PostgresError) -> Int {
    let rows = try connection.run(PostgresStatement(selection)).map { row in
      // No request was ever longer.
      let texts = (1...3).map { row.text($0, atMost: 4 << 20) }
      return (product: row.integer(0), text: SearchableText(texts, tokenizer: tokenizer))
    }
    guard !rows.isEmpty else { return 0 }
    try connection.run(
      update,
      [
        .integers(rows.map(\.product)), .texts(rows.map(\.text.words)),
        .texts(rows.map(\.text.arrayText)),
      ])
    return rows.count
  }
}
