import MarketModel
import SQLiteKit

extension Connection {
  package func knownSeller(_ archived: ArchivedSeller) throws(DatabaseError) -> Seller? {
    if let hash = archived.identifierHash {
      return try first("SELECT id, name FROM seller WHERE identifier = ?", [.blob(hash)]) { row in
        Seller(id: Seller.ID(rawValue: row.integer(0)), name: row.text(1))
      }
    }
    if archived.id == Seller.guest.id { return .guest }
    // Left to itself SQLite goes through all who have no identifier.
    return try first(
      """
      SELECT id, name FROM seller INDEXED BY seller_of_name
      WHERE identifier IS NULL AND name = ?1 AND id <> 0
      ORDER BY id = ?2 DESC LIMIT 1
      """, [.text(archived.name), .integer(orNull: archived.id?.rawValue)]
    ) { row in Seller(id: Seller.ID(rawValue: row.integer(0)), name: row.text(1)) }
  }

  package func isTaken(_ seller: Int64) throws(DatabaseError) -> Bool {
    try integer("SELECT 1 FROM seller WHERE id = ?", .integer(seller)) != nil
  }

  package func add(_ archived: ArchivedSeller, number: Int64?) throws(DatabaseError) -> Int64 {
    var number = number
    if number == nil, archived.identifierHash == nil {
      number = try integer("SELECT min(id) - 1 FROM seller")
    }
    try run(
      "INSERT INTO seller (id, identifier, name) VALUES (?, ?, ?)", .integer(orNull: number),
      archived.identifierHash.map { .blob($0) } ?? .null, .text(archived.name))
    return lastInsertedKey
  }

  /// The key of a password's hash; products that come with the same hash share it.
  func password(
    _ hash: String, _ portion: inout PortionMemory, _ memory: inout ImportMemory
  ) throws(DatabaseError) -> Int64 {
    if let known = portion.passwords[hash] { return known }
    let key: Int64
    if let earlier = try remembered(hash, memory) {
      key = earlier
    } else {
      key = try keep(passwordHash: hash)
    }
    portion.passwords[hash] = key
    memory.passwords.remember(key, for: hash)
    return key
  }

  /// What another portion has kept, unless somebody has deleted it since.
  private func remembered(_ hash: String, _ memory: ImportMemory) throws(DatabaseError) -> Int64? {
    guard let key = memory.passwords[hash] else { return nil }
    return try integer(
      "SELECT id FROM password WHERE id = ? AND hash = ?", .integer(key), .text(hash))
  }
}
