import MarketModel
import StoreCore

/// The table of sellers.
package struct Sellers: SellerTable {
  private static let columns = "SELECT id, name, contact FROM seller"
  private static let byIdentifier = columns + " WHERE identifier = $1"
  private static let byName =
    columns + """
       WHERE identifier IS NULL AND name = $1 AND id <> 0
      ORDER BY CASE WHEN id = $2 THEN 0 ELSE 1 END, id LIMIT 1
      """

  /// Products of one turn.
  private static let batch = 500
  /// Locked from the newest on before their texts are read, so that no edit writes the former name after
  /// this, and none is lost.
  private static let newest = """
    SELECT id FROM product WHERE seller = $1 AND newness > $2 ORDER BY newness LIMIT $3
    FOR NO KEY UPDATE
    """
  private static let texts = """
    SELECT product.id, product.name, description, seller.name FROM product
    JOIN product_text ON product_text.product = product.id
    JOIN seller ON seller.id = product.seller WHERE product.id = ANY ($1)
    """
  private static let renewal = """
    UPDATE product_search SET words = listed.words, grams = listed.grams::integer[]
    FROM unnest($1, $2, $3) AS listed (product, words, grams)
    WHERE product_search.product = listed.product AND product_search.words <> listed.words
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
  func ensure(of key: SellerKey) throws(PostgresError) {
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
    try connection.post(
      """
      INSERT INTO seller_renaming (seller, below) VALUES ($1, $2)
      ON CONFLICT (seller) DO UPDATE SET below = excluded.below
      """, [.integer(seller.id.rawValue), .integer(Int64.max)])
    _ = try renewNewest(
      SellerRenameBackfill.productsAtOnce, of: seller.id.rawValue, below: .max, tokenizer)
  }

  package func renewNames(tokenizer: SearchTokenizer) throws(PostgresError) -> SellerRenameBackfill
  {
    try renewNames(atMost: Self.batch, tokenizer)
  }

  func renewNames(
    atMost count: Int, _ tokenizer: SearchTokenizer
  ) throws(PostgresError) -> SellerRenameBackfill {
    let row = try connection.run(
      "SELECT seller, below FROM seller_renaming ORDER BY seller LIMIT 1 FOR UPDATE SKIP LOCKED"
    ).first
    guard let row else { return try areRenamed() ? .elsewhere : .done }
    let isLast = try renewNewest(
      count, of: row.integer(0), below: row.integer(1), tokenizer)
    return .renewed(Seller.ID(rawValue: row.integer(0)), isLast: isLast)
  }

  /// Whether the new name of a seller is not in the index of all products yet.
  func areRenamed() throws(PostgresError) -> Bool {
    try connection.run("SELECT 1 FROM seller_renaming LIMIT 1").first != nil
  }

  /// Makes the newest products below a number found by their seller's name, and takes note of the rest,
  /// whose row is locked; says whether there is none.
  private func renewNewest(
    _ count: Int, of seller: Int64, below last: Int64, _ tokenizer: SearchTokenizer
  ) throws(PostgresError) -> Bool {
    let ids = try connection.run(
      Self.newest, [.integer(seller), .integer(0 &- last), .integer(Int64(count))]
    ).map { $0.integer(0) }
    if !ids.isEmpty {
      let rows = try connection.run(Self.texts, [.integers(ids)]).map { row in
        // No request was ever longer.
        let texts = (1...3).map { row.text($0, atMost: 4 << 20) }
        return (product: row.integer(0), text: SearchableText(texts, tokenizer: tokenizer))
      }
      try connection.post(
        Self.renewal,
        [
          .integers(rows.map(\.product)), .texts(rows.map(\.text.words)),
          .texts(rows.map(\.text.arrayText)),
        ])
    }
    guard let lowest = ids.last, ids.count == count else {
      try connection.post("DELETE FROM seller_renaming WHERE seller = $1", [.integer(seller)])
      return true
    }
    try connection.post(
      "UPDATE seller_renaming SET below = $1 WHERE seller = $2",
      [.integer(lowest), .integer(seller)])
    return false
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
