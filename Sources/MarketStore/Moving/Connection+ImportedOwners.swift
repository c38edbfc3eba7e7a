import MarketModel
import SQLiteKit

extension Connection {
  /// The seller here of a product that comes in: who has the same identifier, or without one the
  /// same name; a new one with the same number, where that is free, otherwise.
  ///
  /// A seller who is here already keeps the name that it has here.
  func seller(
    of archived: ArchivedSeller, _ memory: inout ImportMemory
  ) throws(DatabaseError) -> Seller {
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

  private func knownSeller(_ archived: ArchivedSeller) throws(DatabaseError) -> Seller? {
    if let hash = archived.identifierHash {
      return try first("SELECT id, name FROM seller WHERE identifier = ?", [.blob(hash)]) { row in
        Seller(id: Seller.ID(rawValue: row.integer(0)), name: row.text(1))
      }
    }
    if archived.id == Seller.guest.id { return .guest }
    return try first(
      """
      SELECT id, name FROM seller WHERE identifier IS NULL AND name = ?1 AND id <> 0
      ORDER BY id = ?2 DESC LIMIT 1
      """, [.text(archived.name), .integer(orNull: archived.id?.rawValue)]
    ) { row in Seller(id: Seller.ID(rawValue: row.integer(0)), name: row.text(1)) }
  }

  private func newSeller(_ archived: ArchivedSeller) throws(DatabaseError) -> Seller {
    var id = try freeNumber(for: archived)
    if id == nil, archived.identifierHash == nil {
      // Who cannot sign in has a number below 0.
      id = try integer("SELECT min(id) - 1 FROM seller")
    }
    try run(
      "INSERT INTO seller (id, identifier, name) VALUES (?, ?, ?)", .integer(orNull: id),
      archived.identifierHash.map { .blob($0) } ?? .null, .text(archived.name))
    return Seller(id: Seller.ID(rawValue: lastInsertedKey), name: archived.name)
  }

  /// The number that the seller had, where nobody has it here and it is of the right kind.
  private func freeNumber(for archived: ArchivedSeller) throws(DatabaseError) -> Int64? {
    guard let wanted = archived.keptID else { return nil }
    let isTaken = try integer("SELECT 1 FROM seller WHERE id = ?", .integer(wanted)) != nil
    return isTaken ? nil : wanted
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
