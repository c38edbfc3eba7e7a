import MarketModel
import SQLiteKit
import StoreCore

/// Search index of products (FTS5 without content): deleting a product needs the texts it was indexed by.
///
/// - Throws: every call throws the `StoreError` of its statement.
extension SQLiteDatabase {
  /// Options of FTS5 (https://www.sqlite.org/fts5.html#special_insert_commands); `sizeInMemory` is the
  /// size in bytes at which pending tokens become a segment.
  struct IndexOptions {
    let sizeInMemory: Int64
    let automerge: Int64
    let crisismerge: Int64

    static let singleProducts = IndexOptions(sizeInMemory: 1 << 20, automerge: 4, crisismerge: 16)
    static let manyProducts = IndexOptions(sizeInMemory: 16 << 20, automerge: 16, crisismerge: 32)
    /// Merges as late as possible before `mergeIndex()`, since no search reads a file that is being filled.
    ///
    /// FTS5 takes 2,000 segments at most on all levels.
    static let allProducts = IndexOptions(sizeInMemory: 16 << 20, automerge: 0, crisismerge: 900)
  }

  private static let columns = "product.name, description, product.seller"
  private static let tables = """
    product JOIN seller ON seller.id = product.seller
    LEFT JOIN product_text ON product_text.product = product.id
    """

  package func addToIndex(
    _ product: Product.ID, _ text: IndexText, of seller: Seller.ID
  ) throws(StoreError) {
    try addToIndex(product, text.words + ProductGrams.token(ofSeller: seller.rawValue))
  }

  /// Indexes a product by its tokens.
  private func addToIndex(_ product: Product.ID, _ tokens: String) throws(StoreError) {
    try post(
      "INSERT INTO product_grams (rowid, grams) VALUES ($1, $2)", .integer(product.rawValue),
      .text(tokens))
  }

  package func changeIndex(
    of product: Product.ID, from old: ProductTexts, to new: ProductTexts?,
    _ tokenizer: SearchTokenizer
  ) throws(StoreError) {
    let grams = ProductGrams(tokenizer)
    try post(
      "INSERT INTO product_grams (product_grams, rowid, grams) VALUES ('delete', $1, $2)",
      .integer(product.rawValue), .text(grams.tokens(of: old)))
    if let new { try addToIndex(product, grams.tokens(of: new)) }
  }

  func configureIndex(_ options: IndexOptions) throws(StoreError) {
    for (name, value) in [
      ("hashsize", options.sizeInMemory), ("automerge", options.automerge),
      ("crisismerge", options.crisismerge),
    ] {
      try post(
        "INSERT INTO product_grams (product_grams, rank) VALUES ('\(name)', \(value))")
    }
  }

  /// Merges the index into one segment, and restores the options for single products.
  func mergeIndex() throws(StoreError) {
    try post("INSERT INTO product_grams (product_grams) VALUES ('optimize')")
    try configureIndex(.singleProducts)
  }

  /// Merges the index where a killed import has not done so.
  func mergeIndexOfInterruptedImport() throws(StoreError) {
    let merges = try integer("SELECT v FROM product_grams_config WHERE k = 'automerge'")
    if merges == IndexOptions.allProducts.automerge { try mergeIndex() }
  }

  package func renewedShare(_ tokenizer: SearchTokenizer) throws(StoreError) -> Double? {
    // Without a row in a forged file.
    let folding = try integer("SELECT folding FROM search_index") ?? 0
    return folding < tokenizer.folding ? 0 : nil
  }

  /// Fills the index anew where its folding is a previous one, since it forgets only tokens that it was
  /// given.
  ///
  /// In one transaction, which the caller opens: concurrent reads see the state before, which also
  /// survives a power failure.
  package func renewIndex(_ tokenizer: SearchTokenizer) throws(StoreError) -> IndexRenewal {
    guard try renewedShare(tokenizer) != nil else { return .done }
    let grams = ProductGrams(tokenizer)
    try post("INSERT INTO product_grams (product_grams) VALUES ('delete-all')")
    try configureIndex(.manyProducts)
    try forEach(
      "SELECT product.id, \(Self.columns), seller.name FROM \(Self.tables) ORDER BY product.id", []
    ) { row throws(StoreError) in
      try addToIndex(
        Product.ID(rawValue: row.integer(0)), grams.tokens(of: ProductTexts(row, from: 1)))
      return true
    }
    try mergeIndex()
    try post("DELETE FROM place_word")
    let places = try all("SELECT DISTINCT place FROM product WHERE place IS NOT NULL") { row in
      row.text(0, .place)
    }
    try changes.insertPlaces(places)
    try post("DELETE FROM previous_seller_name")
    try post(
      """
      INSERT INTO search_index (id, folding) VALUES (1, $1)
      ON CONFLICT (id) DO UPDATE SET folding = excluded.folding
      """, .integer(tokenizer.folding))
    return .done
  }

  package func productTexts(of detail: ProductDetail) throws(StoreError) -> ProductTexts {
    try indexedTexts(of: detail.id).orDamaged()
  }

  /// The texts by which a product is indexed; nil where there is no such product.
  func indexedTexts(of id: Product.ID) throws(StoreError) -> ProductTexts? {
    try first(
      "SELECT \(Self.columns), \(SQLiteDatabase.indexedSellerName) FROM \(Self.tables) WHERE product.id = $1",
      [.integer(id.rawValue)]
    ) { row in ProductTexts(row, from: 0) }
  }
}

extension ProductTexts {
  /// The texts in a row, in order from a column on.
  init(_ row: StoredRow, from column: Int32) {
    self.init(
      name: row.text(column, atMost: Self.bytes),
      description: row.text(column + 1, atMost: Self.bytes),
      seller: Seller.ID(rawValue: row.integer(column + 2)),
      sellerName: row.text(column + 3, atMost: Self.bytes))
  }
}

extension ProductGrams {
  /// The tokens by which a stored product is indexed.
  func tokens(of texts: ProductTexts) -> String {
    text(texts.name, texts.description, texts.sellerName).words
      + Self.token(ofSeller: texts.seller.rawValue)
  }
}

/// Previous names of sellers by which some of their products are still indexed.
///
/// - Throws: every call throws the `StoreError` of its statement.
extension SQLiteDatabase {
  /// SQL expression of the name by which a row of `product` is indexed, for a seller without another row.
  static let indexedSellerName = """
    coalesce((SELECT previous_seller_name.name FROM previous_seller_name
      WHERE previous_seller_name.seller = product.seller AND last >= product.id
      ORDER BY last LIMIT 1), seller.name)
    """

  package func setName(of seller: Seller, to name: String) throws(StoreError) {
    // As it is stored, uncut.
    let previous = try self.name(of: seller.id) ?? seller.name
    try post(
      "INSERT OR IGNORE INTO previous_seller_name (seller, last, name) VALUES ($1, $2, $3)",
      .integer(seller.id.rawValue), .integer(.max), .text(previous))
    try sellers.setName(of: seller, to: name)
  }

  private func name(of seller: Seller.ID) throws(StoreError) -> String? {
    try first("SELECT name FROM seller WHERE id = $1", [.integer(seller.rawValue)]) { row in
      row.text(0, atMost: ProductTexts.bytes)
    }
  }

  /// Rows that only a forged file can contain are skipped, since they could not be deleted.
  package func nextRenamed() throws(StoreError) -> (seller: Seller.ID, last: Int64)? {
    try first(
      """
      SELECT seller, last FROM previous_seller_name WHERE typeof(seller) = 'integer'
      ORDER BY seller DESC, last DESC LIMIT 1
      """
    ) { row in (seller: Seller.ID(rawValue: row.integer(0)), last: row.integer(1)) }
  }

  package func hasPreviousNames() throws(StoreError) -> Bool {
    try integer(
      "SELECT 1 FROM previous_seller_name WHERE typeof(seller) = 'integer' LIMIT 1") != nil
  }

  package func indexName(
    of seller: Seller.ID, in products: [Product.ID], _ tokenizer: SearchTokenizer
  ) throws(StoreError) {
    guard let name = try name(of: seller) else { return }
    for product in products {
      guard let old = try indexedTexts(of: product), old.sellerName != name else { continue }
      var new = old
      new.sellerName = name
      try changeIndex(of: product, from: old, to: new, tokenizer)
    }
  }

  package func recordPreviousNames(of seller: Seller.ID, upTo last: Int64?) throws(StoreError) {
    let (seller, last) = (SQLValue.integer(seller.rawValue), SQLValue.integer(last))
    if last != .null {
      // Those up to it have the name that they had; only a forged file holds none.
      try post(
        """
        INSERT OR IGNORE INTO previous_seller_name (seller, last, name) SELECT $1, $2, coalesce(
          (SELECT name FROM previous_seller_name WHERE seller = $1 AND last >= $2
            ORDER BY last LIMIT 1), '')
        """, seller, last)
    }
    try post(
      "DELETE FROM previous_seller_name WHERE seller = $1 AND ($2 IS NULL OR last > $2)", seller,
      last)
  }
}
