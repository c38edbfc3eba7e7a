import MarketModel
import SQLiteKit

/// Table of sellers.
///
/// - Throws: every call throws the `StoreError` of its statement.
package struct SellerTable {
  private static let columns = "SELECT id, name, contact FROM seller"
  private static let byIdentifier = SQL(once: columns + " WHERE identifier = $1")
  // Without the index, SQLite scans all sellers without an identifier.
  private static let byName = DialectSQL { sql in
    columns + sql.indexed(by: "seller_of_name") + """
       WHERE identifier IS NULL AND name = $1 AND id <> 0
      ORDER BY CASE WHEN id = $2 THEN 0 ELSE 1 END, id LIMIT 1
      """
  }

  let database: any MarketDatabase

  /// The seller of an identifier; nil where it is unknown.
  /// - Throws: `.damaged` where the row has an invalid id.
  package func known(_ key: SellerKey) throws(StoreError) -> Seller? {
    try seller(Self.byIdentifier, [.blob(key.hash)])
  }

  /// The existing seller for one of an archive: with the same identifier, or, without one, of the same
  /// name.
  func known(_ archived: ArchivedSeller) throws(StoreError) -> Seller? {
    if let hash = archived.identifierHash { return try seller(Self.byIdentifier, [.blob(hash)]) }
    if archived.id == Seller.guest.id { return .guest }
    return try seller(
      Self.byName[database.dialect], [.text(archived.name), .integer(archived.id?.rawValue)])
  }

  private func seller(_ sql: SQL, _ values: [SQLValue]) throws(StoreError) -> Seller? {
    try database.first(sql, values) { row throws(StoreError) in
      try row.seller(id: 0, name: 1, contact: 2).orDamaged()
    }
  }

  /// The seller of an identifier; created where it is unknown.
  /// - Throws: `.damaged` where the row has an invalid id.
  package func seller(_ key: SellerKey) throws(StoreError) -> Seller {
    if let known = try known(key) { return known }
    try ensure(of: key)
    return try named(try database.read(locked(key)).orDamaged())
  }

  /// Adds the seller of an identifier where there is none, without a name, which needs the id.
  ///
  /// Not by ON CONFLICT, which would use up an id each time.
  func ensure(of key: SellerKey) throws(StoreError) {
    try database.post(
      """
      INSERT INTO seller (identifier, name)
      SELECT $1, '' WHERE NOT EXISTS (SELECT 1 FROM seller WHERE identifier = $1)
      """, .blob(key.hash))
  }

  /// The seller of an identifier, whose name is locked until the transaction ends; `named(_:)` names a new
  /// one.
  package func locked(_ key: SellerKey) -> Reading<Seller?> {
    Reading(first: Self.locking[database.dialect], [.blob(key.hash)]) { row throws(StoreError) in
      try row.seller(id: 0, name: 1, contact: 2).orDamaged()
    }
  }

  private static let locking = DialectSQL { sql in
    columns + " WHERE identifier = $1" + sql.locking("FOR SHARE")
  }

  /// A seller; one without a name is named after its id.
  func named(_ seller: Seller) throws(StoreError) -> Seller {
    guard seller.name.isEmpty else { return seller }
    let named = Seller(unnamed: seller.id)
    try setName(of: named, to: named.name)
    return named
  }

  /// Sets the name of a seller; `SellerNameIndex` updates the search index.
  package func setName(of seller: Seller, to name: String) throws(StoreError) {
    try database.post(
      "UPDATE seller SET name = $1 WHERE id = $2", .text(name), .integer(seller.id.rawValue))
  }

  /// Adds a seller and returns its id: `number`, or where that is nil the next one, which is below 0
  /// without an identifier.
  /// - Throws: `.damaged` where no id is left.
  func add(_ archived: ArchivedSeller, number: Int64?) throws(StoreError) -> Int64 {
    var number = number
    if number == nil, archived.identifierHash == nil { number = try nextUnidentified() }
    let identifier = SQLValue.blob(archived.identifierHash)
    let (name, contact) = (SQLValue.text(archived.name), archived.contact?.text ?? "")
    guard let number else {
      let id = try database.integer(
        "INSERT INTO seller (identifier, name, contact) VALUES ($1, $2, $3) RETURNING id",
        identifier, name, .text(contact))
      return id ?? 0
    }
    try database.post(
      "INSERT INTO seller (id, identifier, name, contact) VALUES ($1, $2, $3, $4)",
      .integer(number), identifier, name, .text(contact))
    try database.skipNumbers(upTo: number, in: .seller)
    return number
  }

  /// Whether a seller has this id.
  func isTaken(_ number: Int64) throws(StoreError) -> Bool {
    try database.integer("SELECT 1 FROM seller WHERE id = $1", .integer(number)) != nil
  }

  /// The next id below 0, for a seller without an identifier.
  ///
  /// Below the lowest one, or, where a forged file leaves no room there, in the highest gap.
  private func nextUnidentified() throws(StoreError) -> Int64 {
    let lowest = try database.integer(
      "SELECT min(id) FROM seller WHERE id > $1", .integer(StoredNumbers.lowestCountedSellerID))
    let next = min(lowest ?? 0, 0) - 1
    guard try isTaken(next) else { return next }
    let gap = try database.integer(
      """
      SELECT id - 1 FROM seller AS above WHERE id BETWEEN $1 AND 0
        AND NOT EXISTS (SELECT 1 FROM seller WHERE id = above.id - 1)
      ORDER BY id DESC LIMIT 1
      """, .integer(StoredNumbers.sellerIDs.lowerBound + 1))
    return try gap.orDamaged()
  }

  /// Sets the contact of a seller; nil removes it.
  func setContact(of seller: Seller.ID, to contact: SellerContact?) throws(StoreError) {
    try database.post(
      "UPDATE seller SET contact = $1 WHERE id = $2", .text(contact?.text ?? ""),
      .integer(seller.rawValue))
  }

  /// Changes the id of a seller without products to a free one.
  func renumber(_ seller: Seller.ID, to number: Seller.ID) throws(StoreError) {
    let (old, new) = (SQLValue.integer(seller.rawValue), SQLValue.integer(number.rawValue))
    try database.post("UPDATE seller SET id = $1 WHERE id = $2", new, old)
    try database.post("UPDATE idempotency SET seller = $1 WHERE seller = $2", new, old)
    try database.skipNumbers(upTo: number.rawValue, in: .seller)
  }

  /// Whether a seller has any product.
  func sells(_ seller: Seller.ID) throws(StoreError) -> Bool {
    try database.integer(
      "SELECT 1 FROM product WHERE seller = $1 LIMIT 1", .integer(seller.rawValue)) != nil
  }

  /// Makes a concurrent block of a seller wait until the transaction ends.
  func lock(_ seller: SellerKey) throws(StoreError) {
    try database.lock(
      "SELECT 1 FROM seller WHERE identifier = $1 FOR SHARE", [.blob(seller.hash)])
  }

  /// Whether the operator has blocked a seller; nil is *guest*.
  func isBlocked(_ seller: SellerKey?) -> Reading<Bool> {
    let value = seller.map { SQLValue.blob($0.hash) } ?? .integer(Seller.guest.id.rawValue)
    return Reading(
      first: seller == nil
        ? "SELECT blocked FROM seller WHERE id = $1"
        : "SELECT blocked FROM seller WHERE identifier = $1", [value]
    ) { $0.integer(0) != 0 }.map { $0 ?? false }
  }

  /// Blocks or unblocks a seller; nil where there is no seller of this id.
  func setBlocked(_ isBlocked: Bool, _ seller: Seller.ID) throws(StoreError) -> Seller? {
    try database.first(
      "UPDATE seller SET blocked = $1 WHERE id = $2 RETURNING name",
      [.integer(isBlocked ? 1 : 0), .integer(seller.rawValue)]
    ) { Seller(id: seller, name: $0.text(0)) }
  }

  /// The seller for an imported product: an existing one, with the name it has here, or a new one under
  /// the archive's id where that is free and may be preserved.
  /// - Throws: `.damaged` where a row has an invalid id.
  func seller(
    of archived: ArchivedSeller, _ cache: inout ImportCache
  ) throws(StoreError) -> Seller {
    if let known = cache.sellers[archived] { return known }
    let seller: Seller
    if let known = try known(archived) {
      seller = known
    } else {
      var number = archived.preservableID
      if let wanted = number, try isTaken(wanted) { number = nil }
      let id = try add(archived, number: number)
      seller = Seller(id: Seller.ID(rawValue: id), name: archived.name)
    }
    cache.sellers.remember(seller, for: archived)
    return seller
  }

  /// The seller of an identifier under a free id, or its own; nil is any.
  func seller(
    _ key: SellerKey, _ known: Seller?, number: Seller.ID?
  ) throws(StoreError) -> Seller {
    guard let number, number != known?.id else {
      if let known { return known }
      return try seller(key)
    }
    guard let known else {
      let archived = ArchivedSeller(
        id: number, name: Seller(unnamed: number).name, identifierHash: key.hash)
      _ = try add(archived, number: number.rawValue)
      return Seller(unnamed: number)
    }
    try renumber(known.id, to: number)
    return Seller(id: number, name: known.name)
  }
}
