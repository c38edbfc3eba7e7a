import MarketModel
import SQLiteKit
import StoreCore

extension Connection {
  package func knownSeller(_ archived: ArchivedSeller) throws(DatabaseError) -> Seller? {
    if let hash = archived.identifierHash {
      return try first("SELECT id, name FROM seller WHERE identifier = ?", [.blob(hash)]) {
        row throws(DatabaseError) in try row.seller(id: 0, name: 1).orDamaged()
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
    ) { row throws(DatabaseError) in try row.seller(id: 0, name: 1).orDamaged() }
  }

  package func isTaken(_ seller: Int64) throws(DatabaseError) -> Bool {
    try integer("SELECT 1 FROM seller WHERE id = ?", .integer(seller)) != nil
  }

  package func add(_ archived: ArchivedSeller, number: Int64?) throws(DatabaseError) -> Int64 {
    var number = number
    if number == nil, archived.identifierHash == nil {
      number = try newUnidentifiedSellerID()
    }
    try run(
      "INSERT INTO seller (id, identifier, name) VALUES (?, ?, ?)", .integer(orNull: number),
      archived.identifierHash.map { .blob($0) } ?? .null, .text(archived.name))
    return lastInsertedKey
  }

  /// The next number below 0, for a seller that nobody can sign in as.
  ///
  /// Below the lowest one, or, where a forged file leaves no room there, in the highest gap.
  func newUnidentifiedSellerID() throws(DatabaseError) -> Int64 {
    let lowest = try integer(
      "SELECT min(id) FROM seller WHERE id > ?", .integer(StoredNumbers.lowestCountedSellerID))
    let next = min(lowest ?? 0, 0) - 1
    guard try isTaken(next) else { return next }
    let gap = try integer(
      """
      SELECT id - 1 FROM seller AS above WHERE id BETWEEN ? AND 0
        AND NOT EXISTS (SELECT 1 FROM seller WHERE id = above.id - 1)
      ORDER BY id DESC LIMIT 1
      """, .integer(StoredNumbers.sellerIDs.lowerBound + 1))
    return try gap.orDamaged()
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
