import MarketModel
import SQLiteKit

/// What guards a product: whose it is, and its password.
struct ProductLock: Sendable {
  let seller: Seller.ID
  /// Empty where nobody can sign in as the seller.
  let identifierHash: [UInt8]
  let passwordHash: String

  /// Whether this seller may change the product: its own, and those of *guest* and of others who
  /// cannot sign in, as the sellers of the sample market.
  func opens(for key: SellerKey) -> Bool {
    identifierHash.isEmpty || identifierHash == key.hash
  }
}

extension Connection {
  /// What guards a product; nil where there is none.
  func lock(of id: Product.ID) throws(DatabaseError) -> ProductLock? {
    try first(
      """
      SELECT product.seller, seller.identifier, password.hash FROM product
      JOIN seller ON seller.id = product.seller
      JOIN password ON password.id = product.password
      WHERE product.id = ?
      """, [.integer(id.rawValue)]
    ) { row in
      ProductLock(
        seller: Seller.ID(rawValue: row.integer(0)), identifierHash: row.blob(1),
        passwordHash: row.text(2))
    }
  }
}
