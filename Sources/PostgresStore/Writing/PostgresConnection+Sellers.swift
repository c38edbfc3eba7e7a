import MarketModel
import MarketStore

extension PostgresConnection {
  package func knownSeller(_ key: SellerKey) throws(PostgresError) -> Seller? {
    try run("SELECT id, name FROM seller WHERE identifier = $1", [.bytes(key.hash)]).map {
      row throws(PostgresError) in try row.seller(id: 0, name: 1).orDamaged()
    }.first
  }

  package func seller(_ key: SellerKey) throws(PostgresError) -> Seller {
    if let known = try knownSeller(key) { return known }
    let id = try self.key(
      "INSERT INTO seller (identifier, name) VALUES ($1, '') RETURNING id", [.bytes(key.hash)])
    let seller = Seller(unnamed: Seller.ID(rawValue: id))
    try post("UPDATE seller SET name = $1 WHERE id = $2", [.text(seller.name), .integer(id)])
    return seller
  }

  /// The seller is locked first, so that no product is registered under the old name meanwhile.
  package func rename(
    _ seller: Seller, to name: String, words: SearchWords
  ) throws(PostgresError) {
    try post(
      "UPDATE seller SET name = $1 WHERE id = $2", [.text(name), .integer(seller.id.rawValue)])
    let ids = try run(
      "SELECT id FROM product WHERE seller = $1 ORDER BY id", [.integer(seller.id.rawValue)]
    ).map { row throws(PostgresError) in try row.productID(0).orDamaged() }
    for id in ids {
      guard let detail = try detail(of: id) else { continue }
      try index(id, SearchableText(detail, words: words))
    }
  }
}
