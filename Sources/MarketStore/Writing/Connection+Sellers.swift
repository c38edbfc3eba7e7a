import MarketModel
import SQLiteKit

extension Connection {
  package func knownSeller(_ key: SellerKey) throws(DatabaseError) -> Seller? {
    try first("SELECT id, name FROM seller WHERE identifier = ?", [.blob(key.hash)]) {
      row throws(DatabaseError) in try row.seller(id: 0, name: 1).orDamaged()
    }
  }

  package func seller(_ key: SellerKey) throws(DatabaseError) -> Seller {
    if let known = try knownSeller(key) { return known }
    try run("INSERT INTO seller (identifier, name) VALUES (?, '')", .blob(key.hash))
    let id = lastInsertedKey
    let seller = Seller(unnamed: Seller.ID(rawValue: id))
    try run("UPDATE seller SET name = ? WHERE id = ?", .text(seller.name), .integer(id))
    return seller
  }

  /// Each of its products is indexed anew; that is some 50 µs a product.
  package func rename(
    _ seller: Seller, to name: String, words grams: ProductGrams
  ) throws(DatabaseError) {
    let ids = try all(
      "SELECT id FROM product INDEXED BY product_of_seller WHERE seller = ?",
      [.integer(seller.id.rawValue)]
    ) { row throws(DatabaseError) in try row.productID(0).orDamaged() }
    for id in ids {
      guard var texts = try indexedTexts(of: id) else { continue }
      try unindex(id.rawValue, grams.tokens(of: texts))
      texts.sellerName = name
      try index(id.rawValue, grams.tokens(of: texts))
    }
    try run(
      "UPDATE seller SET name = ? WHERE id = ?", .text(name), .integer(seller.id.rawValue))
  }
}
