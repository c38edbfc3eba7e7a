import MarketModel
import SQLiteKit
import StoreCore

/// Search index of products (FTS5 without content): deleting a product needs the texts it was indexed by.
///
/// Every call throws the `StoreError` of its statement.
struct SearchIndex {
  /// Options of FTS5 (https://www.sqlite.org/fts5.html#special_insert_commands); `sizeInMemory` is the
  /// size in bytes at which pending tokens become a segment.
  struct Options {
    let sizeInMemory: Int64
    let automerge: Int64
    let crisismerge: Int64

    static let singleProducts = Options(sizeInMemory: 1 << 20, automerge: 4, crisismerge: 16)
    static let manyProducts = Options(sizeInMemory: 16 << 20, automerge: 16, crisismerge: 32)
    /// Merges as late as possible before `assemble()`, since no search reads a file that is being filled.
    ///
    /// FTS5 takes 2,000 segments at most on all levels.
    static let allProducts = Options(sizeInMemory: 16 << 20, automerge: 0, crisismerge: 900)
  }

  private static let columns = "product.name, description, product.seller"
  private static let tables = """
    product JOIN seller ON seller.id = product.seller
    LEFT JOIN product_text ON product_text.product = product.id
    """

  private let connection: SQLiteDatabase

  init(_ connection: SQLiteDatabase) {
    self.connection = connection
  }

  /// Indexes a product by its tokens.
  func add(_ product: Product.ID, _ tokens: String) throws(StoreError) {
    try connection.run(
      "INSERT INTO product_grams (rowid, grams) VALUES ($1, $2)", .integer(product.rawValue),
      .text(tokens))
  }

  /// Replaces the texts by which a product is indexed; removes it where `new` is nil.
  func change(
    _ product: Product.ID, from old: ProductTexts, to new: ProductTexts?, _ grams: ProductGrams
  ) throws(StoreError) {
    try remove(product, grams.tokens(of: old))
    if let new { try add(product, grams.tokens(of: new)) }
  }

  /// Removes the tokens by which a product was indexed.
  func remove(_ product: Product.ID, _ tokens: String) throws(StoreError) {
    try connection.run(
      "INSERT INTO product_grams (product_grams, rowid, grams) VALUES ('delete', $1, $2)",
      .integer(product.rawValue), .text(tokens))
  }

  func configure(_ options: Options) throws(StoreError) {
    for (name, value) in [
      ("hashsize", options.sizeInMemory), ("automerge", options.automerge),
      ("crisismerge", options.crisismerge),
    ] {
      try connection.run(
        "INSERT INTO product_grams (product_grams, rank) VALUES ('\(name)', \(value))")
    }
  }

  /// Merges the index into one segment, and restores the options for single products.
  func assemble() throws(StoreError) {
    try connection.run("INSERT INTO product_grams (product_grams) VALUES ('optimize')")
    try configure(.singleProducts)
  }

  /// Does so for what a killed import has left.
  func assembleRest() throws(StoreError) {
    let merges = try connection.integer("SELECT v FROM product_grams_config WHERE k = 'automerge'")
    if merges == Options.allProducts.automerge { try assemble() }
  }

  /// The number of the folding of its texts; nil in a forged file.
  var folding: Int64? {
    get throws(StoreError) { try connection.integer("SELECT folding FROM search_index") }
  }

  /// Fills the index anew where its folding is a previous one, since it forgets only tokens that it was
  /// given.
  ///
  /// In one transaction, which the caller opens: concurrent reads see the state before, which also
  /// survives a power failure.
  func renew(_ grams: ProductGrams) throws(StoreError) {
    guard try folding ?? 0 < grams.tokenizer.folding else { return }
    try connection.run("INSERT INTO product_grams (product_grams) VALUES ('delete-all')")
    try configure(.manyProducts)
    try connection.forEach(
      "SELECT product.id, \(Self.columns), seller.name FROM \(Self.tables) ORDER BY product.id", []
    ) { row throws(StoreError) in
      try add(
        Product.ID(rawValue: row.integer(0)), grams.tokens(of: ProductTexts(row, from: 1)))
      return true
    }
    try assemble()
    try connection.run("DELETE FROM previous_seller_name")
    try connection.run(
      """
      INSERT INTO search_index (id, folding) VALUES (1, $1)
      ON CONFLICT (id) DO UPDATE SET folding = excluded.folding
      """, .integer(grams.tokenizer.folding))
  }

  /// The texts by which a product is indexed; nil where there is no such product.
  func texts(of id: Product.ID) throws(StoreError) -> ProductTexts? {
    try connection.first(
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
