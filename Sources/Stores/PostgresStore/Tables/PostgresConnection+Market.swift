import MarketModel
import SQLiteKit
import StoreCore

/// Operations of a market that PostgreSQL does differently from SQLite.
///
/// Every call throws the `StoreError` of its statement.
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

  package func addToIndex(
    _ product: Product.ID, _ text: IndexText, of seller: Seller.ID
  ) throws(StoreError) {
    try post(
      """
      INSERT INTO product_search (product, words, grams)
      SELECT id, $2, $3 || price_tokens(currency, to_pay) FROM product WHERE id = $1
      ON CONFLICT (product) DO UPDATE SET words = excluded.words, grams = excluded.grams
      """, [.integer(product.rawValue), .text(text.words), .hashes(text.grams)])
  }

  package func addToIndex(_ products: [NewProduct]) throws(StoreError) {
    try post(
      """
      INSERT INTO product_search (product, words, grams)
      SELECT product, words, grams::integer[] || price_tokens(currency, to_pay)
      FROM unnest($1, $2, $3, $4, $5) AS listed (product, words, grams, currency, to_pay)
      """,
      rows: products.map { new in
        [
          .integer(new.id), .text(new.text.words), .text(new.text.gramsText),
          .text(new.product.currency.rawValue), .integer(new.product.full - new.product.discount),
        ]
      })
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

  package func productTexts(of detail: ProductDetail) -> ProductTexts { ProductTexts(detail) }

  /// The row is deleted with its product.
  /// - Throws: the statement's `StoreError`.
  package func changeIndex(
    of product: Product.ID, from old: ProductTexts, to new: ProductTexts?,
    _ tokenizer: SearchTokenizer
  ) throws(StoreError) {
    guard let new else { return }
    let text = IndexText([new.name, new.description, new.sellerName], tokenizer)
    try addToIndex(product, text, of: new.seller)
  }

  package func changePriceInIndex(of product: Product.ID) throws(StoreError) {
    try post(PriceTokens.replacement, [.integer(product.rawValue)])
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

  package func areNamesLeft() throws(StoreError) -> Bool {
    try integer("SELECT 1 FROM seller_renaming LIMIT 1") != nil
  }

  package func indexName(
    of seller: Seller.ID, in products: [Product.ID], _ tokenizer: SearchTokenizer
  ) throws(StoreError) {
    try SearchIndexRenewal(self, tokenizer).index(products.map(\.rawValue))
  }

  /// The caller has locked the row.
  /// - Throws: the statement's `StoreError`.
  package func recordNames(of seller: Seller.ID, left last: Int64?) throws(StoreError) {
    let seller = SQLValue.integer(seller.rawValue)
    if let last {
      try post(
        "UPDATE seller_renaming SET below = $1 WHERE seller = $2", .integer(last + 1), seller)
    } else {
      try post("DELETE FROM seller_renaming WHERE seller = $1", seller)
    }
  }

  package func renewIndex(_ tokenizer: SearchTokenizer) throws(StoreError) -> IndexRenewal {
    try SearchIndexRenewal(self, tokenizer).renew()
  }

  package func highestID(in table: NumberedTable) throws(StoreError) -> Int64 {
    try first("SELECT last_value FROM \(table.sequence) WHERE is_called") { $0.count(0) } ?? 0
  }

  /// The database's clock, in seconds since 1970.
  func clockSeconds() throws(StoreError) -> Int64 { try integer("SELECT \(dialect.now)") ?? 0 }

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
