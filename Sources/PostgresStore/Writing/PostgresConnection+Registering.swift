import MarketModel
import StoreCore

extension PostgresConnection {
  package func earlierRegistration(
    _ intent: RegistrationIntent
  ) throws(PostgresError) -> EarlierRegistration? {
    let guest = PostgresValue.integer(intent.seller == nil ? Seller.guest.id.rawValue : nil)
    return try run(
      """
      SELECT product, created, digest, pictures, seller.id, seller.name
      FROM idempotency JOIN seller ON seller.id = idempotency.seller
      WHERE idempotency.seller = coalesce($1, (SELECT id FROM seller WHERE identifier = $2)) AND key = $3
      """, [guest, .bytes(intent.seller?.hash), .bytes(intent.keyHash)]
    ).map { row throws(PostgresError) in
      EarlierRegistration(
        product: try row.productID(0).orDamaged(),
        seller: try row.seller(id: 4, name: 5).orDamaged(),
        created: row.timestamp(1).seconds, digest: row.bytes(2), pictures: row.bytes(3))
    }.first
  }

  /// Where two servers register one intent at once, one of them fails at the key in `idempotency`,
  /// and finds the other's product when its transaction is run again.
  package func register(
    _ draft: RegistrationDraft, for intent: RegistrationIntent, now: Int64, words: SearchWords
  ) throws(PostgresError) -> Outcome<ProductDetail> {
    if let answer = try answer(to: intent) { return answer }
    var seller = Seller.guest
    if let key = intent.seller { seller = try self.seller(key) }
    let pictures = try keep(draft.pictures)
    try use(pictures)
    let record = NewProduct(
      seller: seller.id, draft: draft, created: now, pictures: pictures,
      password: try keep(passwordHash: draft.passwordHash))
    let id = try insert(record)
    guard let detail = try detail(of: id) else { return .failure(.notFound) }
    try post(
      """
      INSERT INTO idempotency (seller, key, product, created, digest, pictures)
      VALUES ($1, $2, $3, $4, $5, $6)
      """,
      [
        .integer(seller.id.rawValue), .bytes(intent.keyHash), .integer(id.rawValue),
        .integer(now), .bytes(intent.digest), .bytes(EarlierRegistration.packed(detail.pictures)),
      ])
    if RegistrationIntent.isTimeToForget(after: id) { try forgetIntents(now: now) }
    try index(id, SearchableText(detail, words: words))
    try add(BlockChanges(of: id, [(detail.product.state, 1)]))
    return .success(detail)
  }

  private func forgetIntents(now: Int64) throws(PostgresError) {
    try post(
      """
      DELETE FROM idempotency WHERE (seller, key) IN (
        SELECT seller, key FROM idempotency WHERE created < $1 ORDER BY created LIMIT $2)
      """,
      [
        .integer(now - RegistrationIntent.memorySeconds),
        .integer(RegistrationIntent.forgottenAtOnce),
      ])
  }
}
