import MarketModel
import MarketStore

extension PostgresConnection {
  package func earlierRegistration(_ intent: RegistrationIntent) throws(PostgresError) -> Product
    .ID?
  {
    let guest = PostgresValue.integer(intent.seller == nil ? Seller.guest.id.rawValue : nil)
    return try run(
      """
      SELECT product FROM idempotency
      WHERE seller = coalesce($1, (SELECT id FROM seller WHERE identifier = $2)) AND key = $3
      """, [guest, .bytes(intent.seller?.hash), .bytes(intent.keyHash)]
    ).map { row throws(PostgresError) in try row.productID(0).orDamaged() }.first
  }

  /// Where two servers register one intent at once, one of them fails at the key in `idempotency`,
  /// and finds the other's product when its transaction is run again.
  package func register(
    _ draft: RegistrationDraft, for intent: RegistrationIntent, now: Int64, words: SearchWords
  ) throws(PostgresError) -> Outcome<ProductDetail> {
    if let earlier = try earlierRegistration(intent) {
      return try detail(of: earlier).map { .success($0) } ?? .failure(.notFound)
    }
    var seller = Seller.guest
    if let key = intent.seller { seller = try self.seller(key) }
    let pictures = try keep(draft.pictures)
    try use(pictures)
    let record = NewProduct(
      seller: seller.id, draft: draft, created: now, pictures: pictures,
      password: try keep(passwordHash: draft.passwordHash))
    let id = try insert(record)
    try post(
      "INSERT INTO idempotency (seller, key, product, created) VALUES ($1, $2, $3, $4)",
      [
        .integer(seller.id.rawValue), .bytes(intent.keyHash), .integer(id.rawValue),
        .integer(now),
      ])
    if RegistrationIntent.isTimeToForget(after: id) { try forgetIntents(now: now) }
    guard let detail = try detail(of: id) else { return .failure(.notFound) }
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
