import MarketModel
import StoreCore

/// Writer of registrations, each intent once.
///
/// Where two servers register one intent at once, one of them fails at the key in `idempotency`, and
/// finds the other's product when its transaction is run again.
package struct Registrations: RegistrationTable {
  private let connection: PostgresConnection

  init(_ connection: PostgresConnection) {
    self.connection = connection
  }

  package func standing(
    of intent: RegistrationIntent
  ) throws(PostgresError) -> RegistrationStatus {
    let answers = try connection.run([
      Sellers.blocking(intent.seller), Self.earlier(intent),
    ])
    return RegistrationStatus(
      isBlocked: answers[0].first != nil, isKnown: answers[1].first != nil)
  }

  private static func earlier(_ intent: RegistrationIntent) -> PostgresStatement {
    let guest = PostgresValue.integer(intent.seller == nil ? Seller.guest.id.rawValue : nil)
    return PostgresStatement(
      """
      SELECT product, created, digest, pictures, seller.id, seller.name,
        seller.contact
      FROM idempotency JOIN seller ON seller.id = idempotency.seller
      WHERE idempotency.seller = coalesce($1, (SELECT id FROM seller WHERE identifier = $2)) AND key = $3
      """, [guest, .bytes(intent.seller?.hash), .bytes(intent.keyHash)])
  }

  private static func earlier(
    in rows: PostgresRows
  ) throws(PostgresError) -> EarlierRegistration? {
    try rows.map { row throws(PostgresError) in
      EarlierRegistration(
        product: try row.productID(0).orDamaged(),
        seller: try row.seller(id: 4, name: 5, contact: 6).orDamaged(),
        created: row.timestamp(1).seconds, digest: row.bytes(2), pictures: row.bytes(3))
    }.first
  }

  package func earlier(
    _ intent: RegistrationIntent
  ) throws(PostgresError) -> EarlierRegistration? {
    try Self.earlier(in: try connection.run(Self.earlier(intent)))
  }

  /// Three ways to the database and back: what is there, what gets a number, and what needs that.
  package func register(
    _ draft: RegistrationDraft, for intent: RegistrationIntent, now: Int64,
    tokenizer: SearchTokenizer
  ) throws(PostgresError) -> Registered {
    let hashes = draft.pictures.map(\.hash)
    let sellers = Sellers(connection)
    if let key = intent.seller { try sellers.ensure(of: key) }
    let answers = try connection.run(
      [Self.earlier(intent), Pictures.holding(hashes)]
        + (intent.seller.map { [Sellers.holding($0)] } ?? []))
    if let earlier = try Self.earlier(in: answers[0]) { return .before(earlier) }
    let seller = intent.seller == nil ? .guest : try sellers.named(in: answers[2])
    var product = StoredProduct(
      draft.product(of: seller, at: now), seller: seller.id.rawValue, password: 0, pictures: [])
    let pictures = Pictures(connection)
    let kept = try pictures.keep(
      draft.pictures, knowing: Pictures.keys(in: answers[1]),
      along: [
        ProductChanges.inserting(
          product, passwordHash: draft.passwordHash, thumbnail: hashes.first)
      ])
    let id = kept.others[0].first?.integer(0) ?? 0
    product.pictures = kept.keys
    try pictures.use(kept.keys)
    let texts = [product.product.name, product.product.description, seller.name]
    try ProductChanges(connection).complete(
      id, product, SearchableText(texts, tokenizer: tokenizer))
    try remember(intent, product, Product.ID(rawValue: id), hashes: hashes, now: now)
    let detail = try ProductQueries(connection).committedDetail(of: Product.ID(rawValue: id))
    return detail.map { .now($0) } ?? .gone
  }

  /// Takes note of what an intent has led to, in the log as well.
  private func remember(
    _ intent: RegistrationIntent, _ product: StoredProduct, _ id: Product.ID, hashes: [[UInt8]],
    now: Int64
  ) throws(PostgresError) {
    let pictures = zip(product.pictures, hashes).map { Picture(number: $0, hash: $1) }
    try connection.post(
      """
      INSERT INTO idempotency (seller, key, product, created, digest, pictures)
      VALUES ($1, $2, $3, $4, $5, $6)
      """,
      [
        .integer(product.seller), .bytes(intent.keyHash), .integer(id.rawValue),
        .integer(now), .bytes(intent.digest), .bytes(EarlierRegistration.packed(pictures)),
      ])
    if RegistrationIntent.isTimeToForget(after: id) { try forgetIntents(now: now) }
    try LogTable(connection).note(
      .listed, id, version: product.product.version, of: Seller.ID(rawValue: product.seller))
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
