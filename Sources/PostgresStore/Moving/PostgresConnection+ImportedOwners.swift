import MarketModel
import StoreCore

extension PostgresConnection {
  package func knownSeller(_ archived: ArchivedSeller) throws(PostgresError) -> Seller? {
    let rows: PostgresRows
    if let hash = archived.identifierHash {
      rows = try run("SELECT id, name FROM seller WHERE identifier = $1", [.bytes(hash)])
    } else if archived.id == Seller.guest.id {
      return .guest
    } else {
      rows = try run(
        """
        SELECT id, name FROM seller WHERE identifier IS NULL AND name = $1 AND id <> 0
        ORDER BY CASE WHEN id = $2 THEN 0 ELSE 1 END, id LIMIT 1
        """, [.text(archived.name), .integer(archived.id?.rawValue)])
    }
    return try rows.map { row throws(PostgresError) in
      try row.seller(id: 0, name: 1).orDamaged()
    }.first
  }

  package func isTaken(_ seller: Int64) throws(PostgresError) -> Bool {
    try run("SELECT 1 FROM seller WHERE id = $1", [.integer(seller)]).count > 0
  }

  package func add(_ archived: ArchivedSeller, number: Int64?) throws(PostgresError) -> Int64 {
    let identifier = PostgresValue.bytes(archived.identifierHash)
    let name = PostgresValue.text(archived.name)
    if let number {
      let id = try key(
        "INSERT INTO seller (id, identifier, name) VALUES ($1, $2, $3) RETURNING id",
        [.integer(number), identifier, name])
      if number > 0 { try pass(number, in: "seller_id_seq") }
      return id
    }
    guard archived.identifierHash != nil else {
      return try newUnidentifiedSeller(archived.name)
    }
    return try key(
      "INSERT INTO seller (identifier, name) VALUES ($1, $2) RETURNING id", [identifier, name])
  }

  /// Keys of the passwords of some products by their hashes, used once more by each; those that come
  /// with the same hash share one.
  func passwords(
    for rows: [ImportRow<SearchableText>], _ memory: inout ImportMemory
  ) throws(PostgresError) -> [String: Int64] {
    var uses: [String: Int64] = [:]
    for row in rows { uses[row.product.passwordHash, default: 0] += 1 }
    let remembered = uses.keys.compactMap { memory.passwords[$0] }.sorted()
    var keys: [String: Int64] = [:]
    // All but those that somebody has deleted since.
    let present = try run(
      "SELECT id, hash FROM password WHERE id = ANY ($1) ORDER BY id FOR UPDATE",
      [.integers(remembered)])
    for (key, hash) in present.map({ ($0.integer(0), $0.text(1)) }) { keys[hash] = key }
    let added = try run(
      "INSERT INTO password (hash) SELECT hash FROM unnest($1) AS listed (hash) RETURNING id, hash",
      [.texts(uses.keys.filter { keys[$0] == nil }.sorted())])
    for (key, hash) in added.map({ ($0.integer(0), $0.text(1)) }) { keys[hash] = key }
    let counts = uses.compactMap { hash, count in keys[hash].map { ($0, count) } }
    try post(
      """
      UPDATE password SET uses = uses + counted.count
      FROM unnest($1, $2) AS counted (id, count) WHERE password.id = counted.id
      """, [.integers(counts.map(\.0)), .integers(counts.map(\.1))])
    for (hash, key) in keys { memory.passwords.remember(key, for: hash) }
    return keys
  }
}
