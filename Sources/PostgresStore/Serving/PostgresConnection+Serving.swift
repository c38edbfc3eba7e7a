import MarketModel
import StoreCore

extension PostgresConnection {
  package func lock(
    of id: Product.ID, for author: Author
  ) throws(PostgresError) -> ProductLock? {
    try run(
      """
      SELECT seller.identifier, password.hash, seller.blocked
        + (SELECT count(*) FROM seller WHERE identifier = $2 AND blocked <> 0)
      FROM product
      JOIN seller ON seller.id = product.seller
      JOIN password ON password.id = product.password
      WHERE product.id = $1
      """, [.integer(id.rawValue), .bytes(author.sellerKey?.hash)]
    ).first.map { row in
      ProductLock(
        identifierHash: row.bytes(0), passwordHash: row.text(1, atMost: PasswordHasher.longestHash),
        isBlocked: row.integer(2) != 0)
    }
  }

  package func descriptions(
    of ids: [Product.ID], atMost characters: Int
  ) throws(PostgresError) -> [String] {
    var texts: [Int64: String] = [:]
    let rows = try run(
      """
      SELECT product, substr(description, 1, $1::int) FROM product_text WHERE product = ANY ($2)
      """, [.integer(Int64(characters)), .integers(ids.map(\.rawValue))])
    for (product, text) in rows.map({ ($0.integer(0), $0.text(1)) }) { texts[product] = text }
    return ids.map { texts[$0.rawValue] ?? "" }
  }

  package func storedBytes() throws(PostgresError) -> Int64 {
    try run("SELECT pg_database_size(current_database())").first?.integer(0) ?? 0
  }

  package func serverKey() throws(PostgresError) -> [UInt8] {
    try post(
      "INSERT INTO server_key (id, bytes) VALUES (1, $1) ON CONFLICT DO NOTHING",
      [.bytes(ServerSignature.newKey())])
    return try run("SELECT bytes FROM server_key").first?.bytes(0) ?? []
  }
}
