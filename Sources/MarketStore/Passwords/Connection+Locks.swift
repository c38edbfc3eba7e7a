import MarketModel
import SQLiteKit
import StoreCore

extension Connection {
  package func lock(
    of id: Product.ID, for author: Author
  ) throws(DatabaseError) -> ProductLock? {
    try first(
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
        identifierHash: row.blob(0), passwordHash: row.text(1, atMost: PasswordHasher.longestHash),
        isBlocked: row.integer(2) != 0)
    }
  }
}
