import MarketModel
import SQLiteKit
import StoreCore

/// Background job that rewrites search rows of servers of older versions, which may run beside this one.
///
/// Current rows contain everything that those servers search for as well.
/// Every call throws the `StoreError` of its statement.
struct SearchIndexBackfill {
  private static let batch = 500
  private static let selection = SQL(
    once: """
      SELECT product FROM product_search WHERE \(GramHashes.isUnfolded) AND product < $1
      ORDER BY product DESC LIMIT \(batch) FOR UPDATE SKIP LOCKED
      """)
  private static let texts: SQL = """
    SELECT product.id, product.name, description, seller.name FROM product
    JOIN product_text ON product_text.product = product.id
    JOIN seller ON seller.id = product.seller WHERE product.id = ANY ($1)
    """
  private static let update: SQL = """
    UPDATE product_search SET words = listed.words, grams = listed.grams::integer[]
    FROM unnest($1, $2, $3) AS listed (product, words, grams)
    WHERE product_search.product = listed.product
    """
  /// Changes the data version (`LogTable.version`), since searches find more from now on.
  private static let turn: SQL = "UPDATE market_schema SET version = version WHERE id = 1"
  private static let last = SQL(
    once: "SELECT max(product) FROM product_search WHERE \(GramHashes.isUnfolded)")

  private let connection: PostgresConnection

  init(_ connection: PostgresConnection) {
    self.connection = connection
  }

  /// The share of products with current rows, 0 to 1; nil for all.
  func share() throws(StoreError) -> Double? {
    guard let row = try connection.run(Self.last).first, !row.isNull(0) else { return nil }
    return try connection.indexedShare(without: row.integer(0))
  }

  /// Rewrites some of the rows of products below an id.
  ///
  /// They are locked first: a concurrent change of a product's texts writes its row afterwards.
  func renew(
    below: Int64, _ tokenizer: SearchTokenizer
  ) throws(StoreError) -> IndexRenewal {
    let ids = try connection.run(Self.selection, [.integer(below)]).map { $0.integer(0) }
    guard let lowest = ids.last else {
      if below < .max { return .renewed(below: .max, share: 1) }
      return try share() == nil ? .done : .elsewhere
    }
    try index(ids, tokenizer)
    try connection.post(Self.turn)
    return .renewed(below: lowest, share: try connection.indexedShare(without: lowest - 1))
  }

  /// Rewrites the rows of some products.
  func index(_ ids: [Int64], _ tokenizer: SearchTokenizer) throws(StoreError) {
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
