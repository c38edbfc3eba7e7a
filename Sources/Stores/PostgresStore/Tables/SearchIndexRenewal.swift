import MarketModel
import SQLiteKit
import StoreCore

/// Renewal of the search index after a change of the folding: from the newest product to the oldest, in
/// steps, each by one server.
///
/// The products below are found by their previous words meanwhile.
/// Every call throws the `StoreError` of its statement.
struct SearchIndexRenewal {
  private static let batch = 500
  private static let state: SQL = "SELECT folding, below FROM search_index WHERE id = 1"
  private static let lockedState: SQL =
    "SELECT folding, below FROM search_index WHERE id = 1 FOR UPDATE SKIP LOCKED"
  /// Locks the rows before their texts are read: a concurrent change of a product's texts writes its row
  /// afterwards.
  private static let selection = SQL(
    once: """
      SELECT product FROM product_search WHERE product < $1
      ORDER BY product DESC LIMIT \(batch) FOR UPDATE
      """)
  private static let texts: SQL = """
    SELECT product.id, product.name, description, seller.name FROM product
    JOIN product_text ON product_text.product = product.id
    JOIN seller ON seller.id = product.seller WHERE product.id = ANY ($1)
    """
  private static let update: SQL = """
    UPDATE product_search
    SET words = listed.words, grams = listed.grams::integer[] || price_tokens(currency, to_pay)
    FROM unnest($1, $2, $3) AS listed (product, words, grams)
    JOIN product ON product.id = listed.product
    WHERE product_search.product = listed.product
    """

  private let connection: PostgresConnection
  private let tokenizer: SearchTokenizer

  init(_ connection: PostgresConnection, _ tokenizer: SearchTokenizer) {
    self.connection = connection
    self.tokenizer = tokenizer
  }

  /// The share of products with the tokenizer's folding, 0 to 1; nil for all.
  func share() throws(StoreError) -> Double? {
    guard let row = try connection.run(Self.state).first, let below = below(row) else { return nil }
    return try connection.indexedShare(without: below - 1)
  }

  /// Renews the next products.
  func renew() throws(StoreError) -> IndexRenewal {
    guard let row = try connection.run(Self.lockedState).first else { return .elsewhere }
    guard let below = below(row) else { return .done }
    let ids = try connection.run(Self.selection, [.integer(below)]).map { $0.integer(0) }
    if !ids.isEmpty { try index(ids) }
    let lowest = ids.count == Self.batch ? ids.last : nil
    try connection.post(
      "UPDATE search_index SET folding = $1, below = $2 WHERE id = 1",
      [.integer(tokenizer.folding), .integer(lowest)])
    guard let lowest else { return .done }
    return .renewed(share: try connection.indexedShare(without: lowest - 1))
  }

  /// The id below which products are to be renewed; nil for none, or where a newer program has done so.
  private func below(_ row: StoredRow) -> Int64? {
    let folding = row.integer(0)
    if folding < tokenizer.folding { return .max }
    return folding > tokenizer.folding || row.isNull(1) ? nil : row.integer(1)
  }

  /// Indexes some products by their present texts.
  func index(_ ids: [Int64]) throws(StoreError) {
    let rows = try connection.all(Self.texts, [.integers(ids)]) { row in
      let texts = (1...3).map { row.text($0, atMost: ProductTexts.bytes) }
      return (product: row.integer(0), text: IndexText(texts, tokenizer))
    }
    try connection.post(
      Self.update,
      [
        .integers(rows.map(\.product)), .texts(rows.map(\.text.words)),
        .texts(rows.map(\.text.gramsText)),
      ])
  }
}
