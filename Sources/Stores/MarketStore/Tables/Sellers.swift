import MarketModel
import SQLiteKit
import StoreCore

/// The table of sellers.
package struct Sellers: SellerTable {
  private static let columns = "SELECT id, name, contact FROM seller"
  private static let byIdentifier = columns + " WHERE identifier = ?"
  // Left to itself SQLite goes through all who have no identifier.
  private static let byName =
    columns + """
       INDEXED BY seller_of_name
      WHERE identifier IS NULL AND name = ?1 AND id <> 0
      ORDER BY id = ?2 DESC LIMIT 1
      """

  /// Products of one turn: some 50 µs each.
  private static let batch = 200

  private let connection: SQLiteConnection

  init(_ connection: SQLiteConnection) {
    self.connection = connection
  }

  package func known(_ key: SellerKey) throws(DatabaseError) -> Seller? {
    try seller(withIdentifier: key.hash)
  }

  package func known(_ archived: ArchivedSeller) throws(DatabaseError) -> Seller? {
    if let hash = archived.identifierHash { return try seller(withIdentifier: hash) }
    if archived.id == Seller.guest.id { return .guest }
    return try seller(
      Self.byName, [.text(archived.name), .integer(orNull: archived.id?.rawValue)])
  }

  private func seller(withIdentifier hash: [UInt8]) throws(DatabaseError) -> Seller? {
    try seller(Self.byIdentifier, [.blob(hash)])
  }

  private func seller(_ sql: String, _ values: [SQLValue]) throws(DatabaseError) -> Seller? {
    try connection.first(sql, values) { row throws(DatabaseError) in
      try row.seller(id: 0, name: 1, contact: 2).orDamaged()
    }
  }

  package func seller(_ key: SellerKey) throws(DatabaseError) -> Seller {
    if let known = try known(key) { return known }
    try connection.run("INSERT INTO seller (identifier, name) VALUES (?, '')", .blob(key.hash))
    let seller = Seller(unnamed: Seller.ID(rawValue: connection.lastInsertedKey))
    try setName(of: seller, to: seller.name)
    return seller
  }

  package func add(_ archived: ArchivedSeller, number: Int64?) throws(DatabaseError) -> Int64 {
    var number = number
    if number == nil, archived.identifierHash == nil { number = try nextUnidentified() }
    try connection.run(
      "INSERT INTO seller (id, identifier, name, contact) VALUES (?, ?, ?, ?)",
      .integer(orNull: number), archived.identifierHash.map { .blob($0) } ?? .null,
      .text(archived.name), .text(archived.contact?.text ?? ""))
    return connection.lastInsertedKey
  }

  package func isTaken(_ number: Int64) throws(DatabaseError) -> Bool {
    try connection.integer("SELECT 1 FROM seller WHERE id = ?", .integer(number)) != nil
  }

  /// The next number below 0, for a seller that nobody can sign in as.
  ///
  /// Below the lowest one, or, where a forged file leaves no room there, in the highest gap.
  private func nextUnidentified() throws(DatabaseError) -> Int64 {
    let lowest = try connection.integer(
      "SELECT min(id) FROM seller WHERE id > ?", .integer(StoredNumbers.lowestCountedSellerID))
    let next = min(lowest ?? 0, 0) - 1
    guard try isTaken(next) else { return next }
    let gap = try connection.integer(
      """
      SELECT id - 1 FROM seller AS above WHERE id BETWEEN ? AND 0
        AND NOT EXISTS (SELECT 1 FROM seller WHERE id = above.id - 1)
      ORDER BY id DESC LIMIT 1
      """, .integer(StoredNumbers.sellerIDs.lowerBound + 1))
    return try gap.orDamaged()
  }

  package func rename(
    _ seller: Seller, to name: String, tokenizer grams: ProductGrams
  ) throws(DatabaseError) {
    try rename(seller, to: name, atOnce: SellerRenameBackfill.productsAtOnce, grams)
  }

  func rename(
    _ seller: Seller, to name: String, atOnce count: Int, _ grams: ProductGrams
  ) throws(DatabaseError) {
    let id = seller.id.rawValue
    // As it is stored, uncut.
    let former = try self.name(of: id) ?? seller.name
    _ = try renewNewest(count, of: id, upTo: .max, from: former, to: name, grams)
    try setName(of: seller, to: name)
  }

  package func renewNames(tokenizer grams: ProductGrams) throws(DatabaseError)
    -> SellerRenameBackfill
  {
    try renewNames(atMost: Self.batch, grams)
  }

  func renewNames(
    atMost count: Int, _ grams: ProductGrams
  ) throws(DatabaseError) -> SellerRenameBackfill {
    guard let (seller, last) = try PreviousSellerNames(connection).next() else { return .done }
    var isLast = true
    if let name = try name(of: seller) {
      isLast = try renewNewest(count, of: seller, upTo: last, from: name, to: name, grams)
    } else {
      try PreviousSellerNames(connection).forget(seller)
    }
    return .renewed(Seller.ID(rawValue: seller), isLast: isLast)
  }

  private func name(of seller: Int64) throws(DatabaseError) -> String? {
    try connection.first("SELECT name FROM seller WHERE id = ?", [.integer(seller)]) { row in
      row.text(0, atMost: IndexedTexts.bytes)
    }
  }

  /// Makes the newest products up to a number found by a name, and takes note of the rest, which are
  /// found by the former one; says whether there are none.
  private func renewNewest(
    _ count: Int, of seller: Int64, upTo last: Int64, from former: String, to name: String,
    _ grams: ProductGrams
  ) throws(DatabaseError) -> Bool {
    let index = SearchIndex(connection)
    let ids = try connection.all(
      """
      SELECT id FROM product INDEXED BY product_of_seller WHERE seller = ? AND newness >= ?
      ORDER BY newness LIMIT ?
      """, [.integer(seller), .integer(0 &- last), .integer(Int64(count))]
    ) { row throws(DatabaseError) in try row.productID(0).orDamaged() }
    for id in ids {
      guard let old = try index.texts(of: id), old.sellerName != name else { continue }
      var new = old
      new.sellerName = name
      try index.change(id.rawValue, from: old, to: new, grams)
    }
    guard let lowest = ids.last, ids.count == count else {
      try PreviousSellerNames(connection).forget(seller)
      return true
    }
    try PreviousSellerNames(connection).keep(upTo: lowest.rawValue - 1, of: seller, as: former)
    return false
  }

  private func setName(of seller: Seller, to name: String) throws(DatabaseError) {
    try connection.run(
      "UPDATE seller SET name = ? WHERE id = ?", .text(name), .integer(seller.id.rawValue))
  }

  package func setContact(
    of seller: Seller.ID, to contact: SellerContact?
  ) throws(DatabaseError) {
    try connection.run(
      "UPDATE seller SET contact = ? WHERE id = ?", .text(contact?.text ?? ""),
      .integer(seller.rawValue))
  }

  package func renumber(_ seller: Seller.ID, to number: Seller.ID) throws(DatabaseError) {
    for statement in [
      "UPDATE seller SET id = ? WHERE id = ?", "UPDATE idempotency SET seller = ? WHERE seller = ?",
    ] {
      try connection.run(statement, .integer(number.rawValue), .integer(seller.rawValue))
    }
  }

  package func sells(_ seller: Seller.ID) throws(DatabaseError) -> Bool {
    try connection.integer(
      "SELECT 1 FROM product WHERE seller = ? LIMIT 1", .integer(seller.rawValue)) != nil
  }

  package func isBlocked(_ seller: SellerKey?) throws(DatabaseError) -> Bool {
    let blocked =
      if let seller {
        try connection.integer(
          "SELECT blocked FROM seller WHERE identifier = ?", .blob(seller.hash))
      } else {
        try connection.integer(
          "SELECT blocked FROM seller WHERE id = ?", .integer(Seller.guest.id.rawValue))
      }
    return blocked ?? 0 != 0
  }

  package func setBlocked(
    _ isBlocked: Bool, _ seller: Seller.ID
  ) throws(DatabaseError) -> Seller? {
    try connection.run(
      "UPDATE seller SET blocked = ? WHERE id = ?", .integer(isBlocked ? 1 : 0),
      .integer(seller.rawValue))
    return try connection.first(
      "SELECT name FROM seller WHERE id = ?", [.integer(seller.rawValue)]
    ) { row in Seller(id: seller, name: row.text(0)) }
  }
}
