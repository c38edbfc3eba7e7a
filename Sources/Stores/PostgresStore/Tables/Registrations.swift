import MarketModel
import StoreCore

/// Writer of registrations, each intent once.
///
/// Where two servers register one intent at once, one of them fails at the key in `idempotency`, and
/// finds the other's product when its transaction is run again.
package struct Registrations: RegistrationKeeping {
  private let connection: PostgresConnection

  init(_ connection: PostgresConnection) {
    self.connection = connection
  }

  package func earlier(
    _ intent: RegistrationIntent
  ) throws(PostgresError) -> EarlierRegistration? {
    let guest = PostgresValue.integer(intent.seller == nil ? Seller.guest.id.rawValue : nil)
    return try connection.run(
      """
      SELECT product, created, digest, pictures, seller.id, seller.name,
        seller.contact
      FROM idempotency JOIN seller ON seller.id = idempotency.seller
      WHERE idempotency.seller = coalesce($1, (SELECT id FROM seller WHERE identifier = $2)) AND key = $3
      """, [guest, .bytes(intent.seller?.hash), .bytes(intent.keyHash)]
    ).map { row throws(PostgresError) in
      EarlierRegistration(
        product: try row.productID(0).orDamaged(),
        seller: try row.seller(id: 4, name: 5, contact: 6).orDamaged(),
        created: row.timestamp(1).seconds, digest: row.bytes(2), pictures: row.bytes(3))
    }.first
  }

  package func register(
    _ draft: RegistrationDraft, of seller: Seller, for intent: RegistrationIntent, now: Int64,
    tokenizer: SearchTokenizer
  ) throws(PostgresError) -> ProductDetail? {
    let changes = ProductChanges(connection)
    let pictures = try Pictures(connection).keep(draft.pictures)
    try Pictures(connection).use(pictures)
    let id = try changes.insert(
      StoredProduct(
        draft.product(of: seller, at: now), seller: seller.id.rawValue,
        password: try changes.keep(passwordHash: draft.passwordHash), pictures: pictures))
    guard let detail = try ProductQueries(connection).detail(of: id) else { return nil }
    try connection.post(
      """
      INSERT INTO idempotency (seller, key, product, created, digest, pictures)
      VALUES ($1, $2, $3, $4, $5, $6)
      """,
      [
        .integer(seller.id.rawValue), .bytes(intent.keyHash), .integer(id.rawValue),
        .integer(now), .bytes(intent.digest), .bytes(EarlierRegistration.packed(detail.pictures)),
      ])
    if RegistrationIntent.isTimeToForget(after: id) { try forgetIntents(now: now) }
    try changes.index(id, SearchableText(detail, tokenizer: tokenizer))
    try BlockCounts(connection).count(id, from: nil, to: detail.product.state)
    return detail
  }

  private func forgetIntents(now: Int64) throws(PostgresError) {
    try connection.post(
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
