import MarketModel
import SQLiteKit

/// The search index of products; it forgets only the texts it was given.
struct SearchIndex {
  private let connection: Connection

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// Makes a product findable by its tokens.
  func add(_ product: Int64, _ tokens: String) throws(DatabaseError) {
    try connection.run(
      "INSERT INTO product_search (rowid, grams) VALUES (?, ?)", .integer(product), .text(tokens))
  }

  /// Takes the tokens that a product was indexed by out of the index.
  func remove(_ product: Int64, _ tokens: String) throws(DatabaseError) {
    try connection.run(
      "INSERT INTO product_search (product_search, rowid, grams) VALUES ('delete', ?, ?)",
      .integer(product), .text(tokens))
  }

  /// Nil where there is no such product.
  func texts(of id: Product.ID) throws(DatabaseError) -> IndexedTexts? {
    try connection.first(
      """
      SELECT product.name, description, product.seller, seller.name FROM product
      JOIN seller ON seller.id = product.seller
      LEFT JOIN product_text ON product_text.product = product.id WHERE product.id = ?
      """, [.integer(id.rawValue)]
    ) { row in
      // No request was ever longer.
      let bytes = 4 << 20
      return IndexedTexts(
        name: row.text(0, atMost: bytes), description: row.text(1, atMost: bytes),
        seller: row.integer(2), sellerName: row.text(3, atMost: bytes))
    }
  }
}

/// Texts that a product is found by, as they are stored, uncut.
struct IndexedTexts: Hashable {
  var name: String
  var description: String
  var seller: Int64
  var sellerName: String
}

extension ProductGrams {
  /// The tokens that a stored product is indexed by.
  func tokens(of texts: IndexedTexts) -> String {
    tokens(
      name: texts.name, description: texts.description, seller: (texts.seller, texts.sellerName))
  }

  /// The tokens of a product that is new.
  func tokens(of product: ArchivedProduct, seller: Seller) -> String {
    tokens(
      name: product.name, description: product.description,
      seller: (seller.id.rawValue, seller.name))
  }
}
