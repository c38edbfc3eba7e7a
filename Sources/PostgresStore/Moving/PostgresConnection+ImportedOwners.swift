import MarketModel
import MarketStore

extension PostgresConnection {
  /// The seller here of a product that comes in: who has the same identifier, or without one the
  /// same name; a new one with the same number, where that is free, otherwise.
  ///
  /// A seller who is here already keeps the name that it has here.
  func seller(
    of archived: ArchivedSeller, _ memory: inout ImportMemory
  ) throws(PostgresError) -> Seller {
    if let known = memory.sellers[archived] { return known }
    let seller: Seller
    if let known = try knownSeller(archived) {
      seller = known
    } else {
      seller = try newSeller(archived)
    }
    memory.sellers.remember(seller, for: archived)
    return seller
  }

  private func knownSeller(_ archived: ArchivedSeller) throws(PostgresError) -> Seller? {
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
    return rows.first.map { Seller(id: Seller.ID(rawValue: $0.integer(0)), name: $0.text(1)) }
  }

  private func newSeller(_ archived: ArchivedSeller) throws(PostgresError) -> Seller {
    let identifier = PostgresValue.bytes(archived.identifierHash)
    let name = PostgresValue.text(archived.name)
    let id: Int64
    if let number = try freeNumber(for: archived) {
      id = try key(
        "INSERT INTO seller (id, identifier, name) VALUES ($1, $2, $3) RETURNING id",
        [.integer(number), identifier, name])
      if number > 0 { try pass(number, in: "seller_id_seq") }
    } else if archived.identifierHash != nil {
      id = try key(
        "INSERT INTO seller (identifier, name) VALUES ($1, $2) RETURNING id", [identifier, name])
    } else {
      id = try newUnidentifiedSeller(archived.name)
    }
    return Seller(id: Seller.ID(rawValue: id), name: archived.name)
  }

  /// The number that the seller had, where nobody has it here and it is of the right kind.
  private func freeNumber(for archived: ArchivedSeller) throws(PostgresError) -> Int64? {
    guard let wanted = archived.keptID else { return nil }
    let taken = try run("SELECT 1 FROM seller WHERE id = $1", [.integer(wanted)])
    return taken.count == 0 ? wanted : nil
  }

  /// Keys of the passwords of some products by their hashes, used once more by each; those that come
  /// with the same hash share one.
  func passwords(
    for rows: [ImportRow], _ memory: inout ImportMemory
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
