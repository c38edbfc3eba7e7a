import MarketModel
import StoreCore

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

  package func isBlocked(_ seller: SellerKey?) throws(PostgresError) -> Bool {
    let guest = PostgresValue.integer(seller == nil ? Seller.guest.id.rawValue : nil)
    return try run(
      "SELECT 1 FROM seller WHERE (id = $1 OR identifier = $2) AND blocked <> 0",
      [guest, .bytes(seller?.hash)]
    ).count > 0
  }

  package func setBlocked(
    _ isBlocked: Bool, _ seller: Seller.ID
  ) throws(PostgresError) -> Seller? {
    try run(
      "UPDATE seller SET blocked = $1 WHERE id = $2 RETURNING name",
      [.integer(isBlocked ? 1 : 0), .integer(seller.rawValue)]
    ).first.map { Seller(id: seller, name: $0.text(0)) }
  }

  package func sells(_ seller: Seller.ID) throws(PostgresError) -> Bool {
    try run("SELECT 1 FROM product WHERE seller = $1 LIMIT 1", [.integer(seller.rawValue)])
      .count > 0
  }

  package func renumber(_ seller: Seller.ID, to number: Seller.ID) throws(PostgresError) {
    let numbers = [PostgresValue.integer(number.rawValue), .integer(seller.rawValue)]
    try post("UPDATE seller SET id = $1 WHERE id = $2", numbers)
    try post("UPDATE idempotency SET seller = $1 WHERE seller = $2", numbers)
    try pass(number.rawValue, in: "seller_id_seq")
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
