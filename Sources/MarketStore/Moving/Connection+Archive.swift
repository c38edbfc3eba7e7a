import MarketModel
import SQLiteKit
import StoreCore

extension Connection {
  private static let archiveColumns = """
    SELECT product.id, product.seller, seller.name, seller.identifier, product.name, description,
      currency, price, discount, stock, created, changed, version, password.hash, thumbnail
    FROM product JOIN seller ON seller.id = product.seller
    LEFT JOIN product_text ON product_text.product = product.id
    LEFT JOIN password ON password.id = product.password
    """

  /// The products with ids above `id`, in their order.
  func archivedProducts(
    after id: Int64, atMost limit: Int
  ) throws(DatabaseError) -> [ArchivedProduct] {
    try all(
      Self.archiveColumns + " WHERE product.id > ? ORDER BY product.id LIMIT ?",
      [.integer(id), .integer(Int64(limit))]
    ) { row throws(DatabaseError) in try archivedProduct(row) }
  }

  /// One product; nil where there is none.
  func archivedProduct(_ id: Product.ID) throws(DatabaseError) -> ArchivedProduct? {
    try first(Self.archiveColumns + " WHERE product.id = ?", [.integer(id.rawValue)]) {
      row throws(DatabaseError) in try archivedProduct(row)
    }
  }

  private func archivedProduct(_ row: borrowing Row) throws(DatabaseError) -> ArchivedProduct {
    var product = try row.archivedProduct().orDamaged()
    if !row.isNull(14) { product.pictures = try pictureNames(of: row.integer(0)) }
    return product
  }

  private func pictureNames(of product: Int64) throws(DatabaseError) -> [String] {
    try all(
      """
      SELECT picture.id, picture.hash FROM product_picture
      JOIN picture ON picture.id = product_picture.picture WHERE product = ? ORDER BY place
      """, [.integer(product)]
    ) { row in row.picture(id: 0, hash: 1)?.original }.compactMap(\.self)
  }
}
