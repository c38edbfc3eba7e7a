import MarketModel
import SQLiteKit

/// Writer of registrations, one for each idempotency key.
///
/// Where two servers register one request at once, one of them violates the key of `idempotency`, and
/// finds the other's product when its transaction is run again.
/// Every call throws the `StoreError` of its statement.
struct Registrations {
  let database: any MarketDatabase

  /// State of a request before any work: whether its seller is blocked, and whether its key was used
  /// before.
  func standing(
    of intent: RegistrationIntent
  ) throws(StoreError) -> (isBlocked: Bool, isKnown: Bool) {
    var (isBlocked, isKnown) = (false, false)
    try database.run([
      SellerTable.blocking(intent.seller) { isBlocked = $0 },
      Self.earlier(intent) { _ in isKnown = true },
    ])
    return (isBlocked, isKnown)
  }

  /// The earlier registration with the key of a request; nil where it is new.
  func earlier(_ intent: RegistrationIntent) throws(StoreError) -> EarlierRegistration? {
    var earlier: EarlierRegistration?
    try database.run([Self.earlier(intent) { earlier = $0 }])
    return earlier
  }

  private static func earlier(
    _ intent: RegistrationIntent, read: @escaping (EarlierRegistration) -> Void
  ) -> Query {
    let guest = SQLValue.integer(intent.seller == nil ? Seller.guest.id.rawValue : nil)
    return Query(
      """
      SELECT product, created, digest, pictures, seller.id, seller.name, seller.contact
      FROM idempotency JOIN seller ON seller.id = idempotency.seller
      WHERE idempotency.seller = coalesce($1, (SELECT id FROM seller WHERE identifier = $2))
        AND key = $3
      """, [guest, .blob(intent.seller?.hash), .blob(intent.keyHash)]
    ) { row throws(StoreError) in
      read(
        EarlierRegistration(
          product: try row.productID(0).orDamaged(),
          seller: try row.seller(id: 4, name: 5, contact: 6).orDamaged(),
          created: row.timestamp(1).seconds, digest: row.blob(2), pictures: row.blob(3)))
    }
  }

  /// Registers a product and logs it; commits the transaction where the product was registered now.
  ///
  /// Three round trips: existing rows, rows that get an id, and rows that need those ids.
  /// - Throws: `.conflict` for a concurrent request with the same key, or an ended lease;
  ///   `.commitUnknown`.
  func register(
    _ draft: RegistrationDraft, for intent: RegistrationIntent, now: Int64,
    indexing text: (ArchivedProduct) -> IndexText
  ) throws(StoreError) -> Registered {
    let hashes = draft.pictures.map(\.hash)
    if let key = intent.seller { try database.sellers.ensure(of: key) }
    var earlier: EarlierRegistration?
    var known: [[UInt8]: Int64] = [:]
    var held = intent.seller == nil ? Seller.guest : nil
    var password: Int64 = 0
    var queries = [
      Self.earlier(intent) { earlier = $0 },
      ProductChanges.keeping(passwordHash: draft.passwordHash) { password = $0 },
    ]
    if let key = intent.seller { queries.append(database.sellers.holding(key) { held = $0 }) }
    if !hashes.isEmpty {
      queries.append(
        Query(PictureTable.held[database.dialect], [.blobs(hashes)]) {
          known[$0.blob(1)] = $0.integer(0)
        })
    }
    try database.run(queries)
    if let earlier {
      try database.changes.releasePassword(password)
      return .before(earlier)
    }
    guard let held else { throw .conflict }
    let seller = try database.sellers.named(held)
    var product = StoredProduct(
      draft.product(of: seller, at: now), seller: seller.id.rawValue, password: password,
      pictures: [])
    var id = Product.ID(rawValue: 0)
    product.pictures = try database.pictures.keep(
      draft.pictures, knowing: known,
      along: [ProductChanges.inserting(product, thumbnail: hashes.first) { id = $0 }])
    try database.changes.complete(id, product, text(product.product))
    try remember(intent, product, id, hashes: hashes, now: now)
    return try database.products.lastDetail(of: id).map { .now($0) } ?? .gone
  }

  /// Records the request's key and its product, and logs the product.
  private func remember(
    _ intent: RegistrationIntent, _ product: StoredProduct, _ id: Product.ID, hashes: [[UInt8]],
    now: Int64
  ) throws(StoreError) {
    let pictures = zip(product.pictures, hashes).map { Picture(number: $0, hash: $1) }
    try database.post(
      """
      INSERT INTO idempotency (seller, key, product, created, digest, pictures)
      VALUES ($1, $2, $3, $4, $5, $6)
      """, .integer(product.seller), .blob(intent.keyHash), .integer(id.rawValue), .integer(now),
      .blob(intent.digest), .blob(EarlierRegistration.packed(pictures)))
    if RegistrationIntent.isTimeToForget(after: id) { try forgetIntents(now: now) }
    try database.log(
      .listed, id, version: product.product.version, of: Seller.ID(rawValue: product.seller))
  }

  private func forgetIntents(now: Int64) throws(StoreError) {
    try database.post(
      """
      DELETE FROM idempotency WHERE (seller, key) IN (
        SELECT seller, key FROM idempotency WHERE created < $1 ORDER BY created LIMIT $2)
      """, .integer(now - RegistrationIntent.memorySeconds),
      .integer(RegistrationIntent.forgottenAtOnce))
  }

  /// The response to a repeated request; nil for a new one.
  func answer(to intent: RegistrationIntent) throws(StoreError) -> Outcome<ProductDetail>? {
    try earlier(intent).map { earlier throws(StoreError) in try answer(earlier, to: intent) }
  }

  /// The response to a repeated request: the product, or `.keyReused` where the digest differs.
  func answer(
    _ earlier: EarlierRegistration, to intent: RegistrationIntent
  ) throws(StoreError) -> Outcome<ProductDetail> {
    guard earlier.digest == intent.digest else { return .failure(.keyReused) }
    if let detail = try database.products.detail(of: earlier.product) { return .success(detail) }
    return earlier.answer(to: intent).map { .success($0) } ?? .failure(.notFound)
  }
}
