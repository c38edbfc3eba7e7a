import MarketModel
import SQLiteKit

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
    let price = Price(
      full: Money(hundredths: row.integer(7), currency: Currency(rawValue: row.text(6))),
      discountHundredths: row.integer(8))
    // The schema allows no such price.
    guard let price else { throw .damaged }
    let seller = ArchivedSeller(
      id: Seller.ID(rawValue: row.integer(1)), name: row.text(2),
      identifierHash: row.isNull(3) ? nil : row.blob(3))
    return ArchivedProduct(
      id: Product.ID(rawValue: row.integer(0)), seller: seller, name: row.text(4),
      description: row.text(5), price: price, stock: row.integer(9), created: row.integer(10),
      changed: row.integer(11), version: row.integer(12), passwordHash: row.text(13),
      pictures: row.isNull(14) ? [] : try pictureNames(of: row.integer(0)))
  }

  private func pictureNames(of product: Int64) throws(DatabaseError) -> [String] {
    try all(
      """
      SELECT picture.hash FROM product_picture
      JOIN picture ON picture.id = product_picture.picture WHERE product = ? ORDER BY place
      """, [.integer(product)]
    ) { row in Picture(number: 0, hash: row.blob(0)).original }
  }
}
