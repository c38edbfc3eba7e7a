import MarketModel
import StoreCore

/// The table of sellers.
package struct Sellers: SellerKeeping {
  private static let columns = "SELECT id, name, contact FROM seller"
  private static let byIdentifier = columns + " WHERE identifier = $1"
  private static let byName =
    columns + """
       WHERE identifier IS NULL AND name = $1 AND id <> 0
      ORDER BY CASE WHEN id = $2 THEN 0 ELSE 1 END, id LIMIT 1
      """

  private let connection: PostgresConnection

  init(_ connection: PostgresConnection) {
    self.connection = connection
  }

  package func known(_ key: SellerKey) throws(PostgresError) -> Seller? {
    try seller(Self.byIdentifier, [.bytes(key.hash)])
  }

  package func known(_ archived: ArchivedSeller) throws(PostgresError) -> Seller? {
    if let hash = archived.identifierHash { return try seller(Self.byIdentifier, [.bytes(hash)]) }
    if archived.id == Seller.guest.id { return .guest }
    return try seller(Self.byName, [.text(archived.name), .integer(archived.id?.rawValue)])
  }

  private func seller(
    _ sql: String, _ values: [PostgresValue]
  ) throws(PostgresError) -> Seller? {
    try connection.run(sql, values).first.map { row throws(PostgresError) in
      try row.seller(id: 0, name: 1, contact: 2).orDamaged()
    }
  }

  package func seller(_ key: SellerKey) throws(PostgresError) -> Seller {
    if let known = try known(key) { return known }
    let id = try connection.key(
      "INSERT INTO seller (identifier, name) VALUES ($1, '') RETURNING id", [.bytes(key.hash)])
    let seller = Seller(unnamed: Seller.ID(rawValue: id))
    try setName(of: seller, to: seller.name)
    return seller
  }

  /// Adds the seller of an identifier where there is none; without a name, which needs the number.
  ///
  /// Not by ON CONFLICT, which would use up a number each time.
  func makeSure(of key: SellerKey) throws(PostgresError) {
    try connection.post(
      """
      INSERT INTO seller (identifier, name)
      SELECT $1, '' WHERE NOT EXISTS (SELECT 1 FROM seller WHERE identifier = $1)
      """, [.bytes(key.hash)])
  }

  /// The statement for the seller of an identifier, who keeps the name until the transaction ends;
  /// `named(in:)` reads its row.
  static func holding(_ key: SellerKey) -> PostgresStatement {
    PostgresStatement(byIdentifier + " FOR SHARE", [.bytes(key.hash)])
  }

  /// The seller of a row, named by the number where there is no name yet.
  func named(in rows: PostgresRows) throws(PostgresError) -> Seller {
    let seller = try rows.first?.seller(id: 0, name: 1, contact: 2).orDamaged()
    guard let seller else { throw .conflict }
    guard seller.name.isEmpty else { return seller }
    let named = Seller(unnamed: seller.id)
    try setName(of: named, to: named.name)
    return named
  }

  package func add(_ archived: ArchivedSeller, number: Int64?) throws(PostgresError) -> Int64 {
    let identifier = PostgresValue.bytes(archived.identifierHash)
    let name = PostgresValue.text(archived.name)
    let contact = PostgresValue.text(archived.contact?.text ?? "")
    if let number {
      let id = try connection.key(
        "INSERT INTO seller (id, identifier, name, contact) VALUES ($1, $2, $3, $4) RETURNING id",
        [.integer(number), identifier, name, contact])
      if number > 0 { try Numbering(connection).pass(number, in: .seller) }
      return id
    }
    guard archived.identifierHash != nil else {
      // Those that nobody can sign in as have numbers below 0.
      return try connection.key(
        """
        INSERT INTO seller (id, name, contact)
        SELECT min(id) - 1, $1, $3 FROM seller WHERE id > $2 RETURNING id
        """, [name, .integer(StoredNumbers.lowestCountedSellerID), contact])
    }
    return try connection.key(
      "INSERT INTO seller (identifier, name, contact) VALUES ($1, $2, $3) RETURNING id",
      [identifier, name, contact])
  }

  package func isTaken(_ number: Int64) throws(PostgresError) -> Bool {
    try connection.run("SELECT 1 FROM seller WHERE id = $1", [.integer(number)]).count > 0
  }

  /// The seller is locked first, so that no product is registered under the old name meanwhile.
  package func rename(
    _ seller: Seller, to name: String, tokenizer: SearchTokenizer
  ) throws(PostgresError) {
    try setName(of: seller, to: name)
    let ids = try connection.run(
      "SELECT id FROM product WHERE seller = $1 ORDER BY id", [.integer(seller.id.rawValue)]
    ).map { row throws(PostgresError) in try row.productID(0).orDamaged() }
    for id in ids {
      guard let detail = try ProductQueries(connection).detail(of: id) else { continue }
      try ProductChanges(connection).index(id, SearchableText(detail, tokenizer: tokenizer))
    }
  }

  private func setName(of seller: Seller, to name: String) throws(PostgresError) {
    try connection.post(
      "UPDATE seller SET name = $1 WHERE id = $2", [.text(name), .integer(seller.id.rawValue)])
  }

  package func setContact(
    of seller: Seller.ID, to contact: SellerContact?
  ) throws(PostgresError) {
    try connection.post(
      "UPDATE seller SET contact = $1 WHERE id = $2",
      [.text(contact?.text ?? ""), .integer(seller.rawValue)])
  }

  package func renumber(_ seller: Seller.ID, to number: Seller.ID) throws(PostgresError) {
    let numbers = [PostgresValue.integer(number.rawValue), .integer(seller.rawValue)]
    try connection.post("UPDATE seller SET id = $1 WHERE id = $2", numbers)
    try connection.post("UPDATE idempotency SET seller = $1 WHERE seller = $2", numbers)
    try Numbering(connection).pass(number.rawValue, in: .seller)
  }

  package func sells(_ seller: Seller.ID) throws(PostgresError) -> Bool {
    try connection.run(
      "SELECT 1 FROM product WHERE seller = $1 LIMIT 1", [.integer(seller.rawValue)]
    ).count > 0
  }

  package func isBlocked(_ seller: SellerKey?) throws(PostgresError) -> Bool {
    try connection.run(Self.blocking(seller)).count > 0
  }

  /// The statement for a row where the market takes nothing from a seller; nil is *guest*.
  static func blocking(_ seller: SellerKey?) -> PostgresStatement {
    PostgresStatement(
      "SELECT 1 FROM seller WHERE (id = $1 OR identifier = $2) AND blocked <> 0",
      [
        .integer(seller == nil ? Seller.guest.id.rawValue : nil), .bytes(seller?.hash),
      ])
  }

  package func setBlocked(
    _ isBlocked: Bool, _ seller: Seller.ID
  ) throws(PostgresError) -> Seller? {
    try connection.run(
      "UPDATE seller SET blocked = $1 WHERE id = $2 RETURNING name",
      [.integer(isBlocked ? 1 : 0), .integer(seller.rawValue)]
    ).first.map { Seller(id: seller, name: $0.text(0)) }
  }
}
