import MarketModel
import SQLiteKit
import StoreCore

/// Search index of products: a row for each, with its words, and with hashes of its letters and price.
///
/// After a change of the folding it is renewed from the newest product to the oldest, in steps, each by one
/// server. The products below are found by their previous words meanwhile.
/// - Throws: every call throws the `StoreError` of its statement.
extension PostgresConnection {
  private static let renewedAtOnce = 500
  private static let folding: SQL = "SELECT folding, below FROM search_index WHERE id = 1"
  private static let lockedFolding: SQL =
    "SELECT folding, below FROM search_index WHERE id = 1 FOR UPDATE SKIP LOCKED"
  /// Locks the rows before their texts are read: a concurrent change of a product's texts writes its row
  /// afterwards.
  private static let nextToRenew = SQL(
    once: """
      SELECT product FROM product_search WHERE product < $1
      ORDER BY product DESC LIMIT \(renewedAtOnce) FOR UPDATE
      """)
  private static let texts: SQL = """
    SELECT product.id, product.name, description, seller.name, product.place FROM product
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

  package func productTexts(of detail: ProductDetail) -> ProductTexts { ProductTexts(detail) }

  /// The row is deleted with its product.
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

  package func indexName(
    of seller: Seller.ID, in products: [Product.ID], _ tokenizer: SearchTokenizer
  ) throws(StoreError) {
    try renewTexts(of: products.map(\.rawValue), tokenizer)
  }

  /// Indexes some products by their present texts.
  private func renewTexts(of ids: [Int64], _ tokenizer: SearchTokenizer) throws(StoreError) {
    let rows = try all(Self.texts, [.integers(ids)]) { row in
      let texts = (1...3).map { row.text($0, atMost: ProductTexts.bytes) }
      let place = row.isNull(4) ? nil : row.text(4, .place)
      return (product: row.integer(0), text: IndexText(texts, tokenizer), place: place)
    }
    try changes.insertPlaces(rows.map(\.place))
    try post(
      Self.update,
      [
        .integers(rows.map(\.product)), .texts(rows.map(\.text.words)),
        .texts(rows.map(\.text.gramsText)),
      ])
  }

  package func renewedShare(_ tokenizer: SearchTokenizer) throws(StoreError) -> Double? {
    let below = try first(Self.folding) { row in tokenizer.firstRenewed(row) } ?? nil
    return try below.map { below throws(StoreError) in try share(above: below) }
  }

  private func share(above below: Int64) throws(StoreError) -> Double {
    1 - min(1, Double(below - 1) / Double(max(1, try highestID(in: .product))))
  }

  package func renewIndex(_ tokenizer: SearchTokenizer) throws(StoreError) -> IndexRenewal {
    let found = try first(Self.lockedFolding) { row in tokenizer.firstRenewed(row) }
    guard let found else { return .elsewhere }
    guard let below = found else { return .done }
    let ids = try all(Self.nextToRenew, [.integer(below)]) { $0.integer(0) }
    if !ids.isEmpty { try renewTexts(of: ids, tokenizer) }
    let lowest = ids.count == Self.renewedAtOnce ? ids.last : nil
    try post(
      "UPDATE search_index SET folding = $1, below = $2 WHERE id = 1",
      [.integer(tokenizer.folding), .integer(lowest)])
    guard let lowest else { return .done }
    return .renewed(share: try share(above: lowest))
  }
}

extension SearchTokenizer {
  /// The id below which products are to be renewed, from a row of `search_index`; nil for none, or where a
  /// newer program has renewed them.
  fileprivate func firstRenewed(_ row: StoredRow) -> Int64? {
    if row.integer(0) < folding { return .max }
    return row.integer(0) > folding || row.isNull(1) ? nil : row.integer(1)
  }
}
