import MarketModel
import SQLiteKit
import StoreCore

extension Connection {
  package func earlierRegistration(
    _ intent: RegistrationIntent
  ) throws(DatabaseError) -> EarlierRegistration? {
    var seller = Seller.guest
    if let key = intent.seller {
      guard let known = try knownSeller(key) else { return nil }
      seller = known
    }
    return try first(
      """
      SELECT product, created, digest, pictures FROM idempotency WHERE seller = ? AND key = ?
      """, [.integer(seller.id.rawValue), .blob(intent.keyHash)]
    ) { row throws(DatabaseError) in
      EarlierRegistration(
        product: try row.productID(0).orDamaged(), seller: seller,
        created: row.timestamp(1).seconds, digest: row.blob(2), pictures: row.blob(3))
    }
  }

  package func register(
    _ draft: RegistrationDraft, for intent: RegistrationIntent, now: Int64,
    words grams: ProductGrams
  ) throws(DatabaseError) -> Outcome<ProductDetail> {
    if let answer = try answer(to: intent) { return answer }
    var seller = Seller.guest
    if let key = intent.seller { seller = try self.seller(key) }
    var pictures: [Int64] = []
    for picture in draft.pictures { pictures.append(try keep(picture)) }
    let record = ProductRecord(
      seller: seller, name: draft.name, description: draft.description, price: draft.price,
      stock: draft.stock, created: now, changed: now, pictures: pictures,
      password: try keep(passwordHash: draft.passwordHash))
    let id = try insert(record, grams: grams)
    guard let detail = try detail(of: id) else { return .failure(.notFound) }
    try run(
      """
      INSERT INTO idempotency (seller, key, product, created, digest, pictures)
      VALUES (?, ?, ?, ?, ?, ?)
      """,
      .integer(seller.id.rawValue), .blob(intent.keyHash), .integer(id.rawValue), .integer(now),
      .blob(intent.digest), .blob(EarlierRegistration.packed(detail.pictures)))
    if RegistrationIntent.isTimeToForget(after: id) { try forgetIntents(now: now) }
    return .success(detail)
  }

  private func forgetIntents(now: Int64) throws(DatabaseError) {
    try run(
      """
      DELETE FROM idempotency WHERE (seller, key) IN (
        SELECT seller, key FROM idempotency WHERE created < ? ORDER BY created LIMIT ?)
      """,
      .integer(now - RegistrationIntent.memorySeconds), .integer(RegistrationIntent.forgottenAtOnce)
    )
  }
}
