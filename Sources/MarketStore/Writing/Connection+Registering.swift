import MarketModel
import SQLiteKit

extension Connection {
  package func earlierRegistration(_ intent: RegistrationIntent) throws(DatabaseError) -> Product
    .ID?
  {
    var seller = Seller.guest
    if let key = intent.seller {
      guard let known = try knownSeller(key) else { return nil }
      seller = known
    }
    return try first(
      "SELECT product FROM idempotency WHERE seller = ? AND key = ?",
      [.integer(seller.id.rawValue), .blob(intent.keyHash)]
    ) { row throws(DatabaseError) in try row.productID(0).orDamaged() }
  }

  package func register(
    _ draft: RegistrationDraft, for intent: RegistrationIntent, now: Int64,
    words grams: ProductGrams
  ) throws(DatabaseError) -> Outcome<ProductDetail> {
    if let earlier = try earlierRegistration(intent) {
      return try detail(of: earlier).map { .success($0) } ?? .failure(.notFound)
    }
    var seller = Seller.guest
    if let key = intent.seller { seller = try self.seller(key) }
    var pictures: [Int64] = []
    for picture in draft.pictures { pictures.append(try keep(picture)) }
    let record = ProductRecord(
      seller: seller, name: draft.name, description: draft.description, price: draft.price,
      stock: draft.stock, created: now, changed: now, pictures: pictures,
      password: try keep(passwordHash: draft.passwordHash))
    let id = try insert(record, grams: grams)
    try run(
      "INSERT INTO idempotency (seller, key, product, created) VALUES (?, ?, ?, ?)",
      .integer(seller.id.rawValue), .blob(intent.keyHash), .integer(id.rawValue), .integer(now))
    if RegistrationIntent.isTimeToForget(after: id) { try forgetIntents(now: now) }
    return try detail(of: id).map { .success($0) } ?? .failure(.notFound)
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
