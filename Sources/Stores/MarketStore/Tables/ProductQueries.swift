import MarketModel
import SQLiteKit
import StoreCore

/// Reader of single products and pictures.
package struct ProductQueries: ProductReading {
  private static let listed = """
    SELECT \(ProductColumn.listed.selection)
    FROM product JOIN seller ON seller.id = product.seller
    LEFT JOIN picture ON picture.id = product.thumbnail
    WHERE product.id = ?
    """
  private static let detailed = """
    SELECT \(ProductColumn.detailed.selection)
    FROM product JOIN seller ON seller.id = product.seller
    JOIN product_text ON product_text.product = product.id WHERE product.id = ?
    """

  private let connection: SQLiteConnection

  init(_ connection: SQLiteConnection) {
    self.connection = connection
  }

  /// The highest id of a product that is there; 0 where there is none.
  func highestID() throws(DatabaseError) -> Int64 {
    try connection.integer("SELECT max(id) FROM product") ?? 0
  }

  /// A product as lists show it; nil where there is none.
  func product(_ id: Product.ID) throws(DatabaseError) -> Product? {
    try connection.first(Self.listed, [.integer(id.rawValue)]) { row throws(DatabaseError) in
      try ProductColumn.listed.product(in: row).listed.orDamaged()
    }
  }

  package func listed(_ ids: [Product.ID]) throws(DatabaseError) -> [Product] {
    var products: [Product] = []
    for id in ids {
      if let product = try product(id) { products.append(product) }
    }
    return products
  }

  package func detail(of id: Product.ID) throws(DatabaseError) -> ProductDetail? {
    let key = SQLValue.integer(id.rawValue)
    let stored = try connection.first(Self.listed, [key]) { row in
      ProductColumn.listed.product(in: row)
    }
    guard var stored else { return nil }
    try connection.first(Self.detailed, [key]) { row in
      ProductColumn.detailed.read(row, into: &stored)
    }
    let pictures = try Pictures(connection).pictures(of: id.rawValue)
    return try stored.detail(with: pictures).orDamaged()
  }

  /// Whoever writes has the file for itself.
  package func heldDetail(of id: Product.ID) throws(DatabaseError) -> ProductDetail? {
    try detail(of: id)
  }

  package func guardedDetail(
    of id: Product.ID, for author: Author
  ) throws(DatabaseError) -> GuardedDetail? {
    guard let lock = try lock(of: id, for: author), let detail = try detail(of: id) else {
      return nil
    }
    return GuardedDetail(detail: detail, lock: lock)
  }

  package func descriptions(
    of ids: [Product.ID], atMost characters: Int
  ) throws(DatabaseError) -> [String] {
    var texts: [String] = []
    for id in ids {
      let text = try connection.first(
        "SELECT substr(description, 1, ?) FROM product_text WHERE product = ?",
        [.integer(Int64(characters)), .integer(id.rawValue)]
      ) { row in row.text(0, TextLimit(0...characters)) }
      texts.append(text ?? "")
    }
    return texts
  }

  package func lock(
    of id: Product.ID, for author: Author
  ) throws(DatabaseError) -> ProductLock? {
    try connection.first(
      """
      SELECT seller.identifier, password.hash, seller.blocked
        OR EXISTS (SELECT 1 FROM seller WHERE identifier = ?2 AND blocked)
      FROM product
      JOIN seller ON seller.id = product.seller
      JOIN password ON password.id = product.password
      WHERE product.id = ?1
      """, [.integer(id.rawValue), author.sellerKey.map { .blob($0.hash) } ?? .null]
    ) { row in
      // A hash that is cut matches nothing.
      ProductLock(
        identifierHash: row.blob(0),
        passwordHash: row.text(1, atMost: PasswordHasher.maxHashLength),
        isBlocked: row.integer(2) != 0)
    }
  }
}
