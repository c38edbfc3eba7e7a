import MarketModel
import SQLiteKit
import StoreCore

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

  package func isBlocked(_ seller: SellerKey?) throws(DatabaseError) -> Bool {
    let blocked =
      if let seller {
        try integer("SELECT blocked FROM seller WHERE identifier = ?", .blob(seller.hash))
      } else {
        try integer("SELECT blocked FROM seller WHERE id = ?", .integer(Seller.guest.id.rawValue))
      }
    return blocked ?? 0 != 0
  }

  package func setBlocked(
    _ isBlocked: Bool, _ seller: Seller.ID
  ) throws(DatabaseError) -> Seller? {
    try run(
      "UPDATE seller SET blocked = ? WHERE id = ?", .integer(isBlocked ? 1 : 0),
      .integer(seller.rawValue))
    return try first("SELECT name FROM seller WHERE id = ?", [.integer(seller.rawValue)]) { row in
      Seller(id: seller, name: row.text(0))
    }
  }

  package func sells(_ seller: Seller.ID) throws(DatabaseError) -> Bool {
    try integer("SELECT 1 FROM product WHERE seller = ? LIMIT 1", .integer(seller.rawValue)) != nil
  }

  package func renumber(_ seller: Seller.ID, to number: Seller.ID) throws(DatabaseError) {
    for statement in [
      "UPDATE seller SET id = ? WHERE id = ?", "UPDATE idempotency SET seller = ? WHERE seller = ?",
    ] {
      try run(statement, .integer(number.rawValue), .integer(seller.rawValue))
    }
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
