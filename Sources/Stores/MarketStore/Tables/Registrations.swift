import MarketModel
import SQLiteKit
import StoreCore

/// Writer of registrations, each intent once.
package struct Registrations: RegistrationTable {
  private let connection: SQLiteConnection

  init(_ connection: SQLiteConnection) {
    self.connection = connection
  }

  package func standing(
    of intent: RegistrationIntent
  ) throws(DatabaseError) -> RegistrationStatus {
    RegistrationStatus(
      isBlocked: try Sellers(connection).isBlocked(intent.seller),
      isKnown: try earlier(intent) != nil)
  }

  package func earlier(
    _ intent: RegistrationIntent
  ) throws(DatabaseError) -> EarlierRegistration? {
    var seller = Seller.guest
    if let key = intent.seller {
      guard let known = try Sellers(connection).known(key) else { return nil }
      seller = known
    }
    return try connection.first(
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
    tokenizer grams: ProductGrams
  ) throws(DatabaseError) -> Registered {
    if let earlier = try earlier(intent) { return .before(earlier) }
    var seller = Seller.guest
    if let key = intent.seller { seller = try Sellers(connection).seller(key) }
    let changes = ProductChanges(connection)
    var pictures: [Int64] = []
    for picture in draft.pictures { pictures.append(try Pictures(connection).keep(picture)) }
    let product = StoredProduct(
      draft.product(of: seller, at: now), seller: seller.id.rawValue,
      password: try changes.keep(passwordHash: draft.passwordHash), pictures: pictures)
    var tally = ProductTally()
    let number = try changes.insert(
      product, tokens: grams.tokens(of: product.product, seller: seller), counting: &tally)
    try changes.record(tally)
    let id = Product.ID(rawValue: number)
    guard let detail = try ProductQueries(connection).detail(of: id) else { return .gone }
    try connection.run(
      """
      INSERT INTO idempotency (seller, key, product, created, digest, pictures)
      VALUES (?, ?, ?, ?, ?, ?)
      """,
      .integer(seller.id.rawValue), .blob(intent.keyHash), .integer(number), .integer(now),
      .blob(intent.digest), .blob(EarlierRegistration.packed(detail.pictures)))
    if RegistrationIntent.isTimeToForget(after: id) { try forgetIntents(now: now) }
    try LogTable(connection).note(.listed, detail)
    return .now(detail)
  }

  private func forgetIntents(now: Int64) throws(DatabaseError) {
    try connection.run(
      """
      DELETE FROM idempotency WHERE (seller, key) IN (
        SELECT seller, key FROM idempotency WHERE created < ? ORDER BY created LIMIT ?)
      """,
      .integer(now - RegistrationIntent.memorySeconds), .integer(RegistrationIntent.forgottenAtOnce)
    )
  }
}
