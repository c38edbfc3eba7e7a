import MarketModel
import SQLiteKit

extension Connection {
  package func lock(of id: Product.ID) throws(DatabaseError) -> ProductLock? {
    try first(
      """
      SELECT seller.identifier, password.hash FROM product
      JOIN seller ON seller.id = product.seller
      JOIN password ON password.id = product.password
      WHERE product.id = ?
      """, [.integer(id.rawValue)]
    ) { row in
      // A hash that is cut matches nothing.
      ProductLock(
        identifierHash: row.blob(0), passwordHash: row.text(1, atMost: PasswordHasher.longestHash))
    }
  }
}
