import MarketModel
import SQLiteKit

/// Writer of registrations, one for each idempotency key.
///
/// Where two servers register one request at once, one of them violates the key of `idempotency`, and
/// finds the other's product when its transaction is run again.
/// Every call throws the `StoreError` of its statement.
struct Registrations {
  let database: any MarketDatabase

  /// The earlier registration with the key of a request; nil where it is new.
  func earlier(_ intent: RegistrationIntent) -> Reading<EarlierRegistration?> {
    let guest = SQLValue.integer(intent.seller == nil ? Seller.guest.id.rawValue : nil)
    return Reading(
      first: """
        SELECT product, created, digest, pictures, seller.id, seller.name, seller.contact
        FROM idempotency JOIN seller ON seller.id = idempotency.seller
        WHERE idempotency.seller = coalesce($1, (SELECT id FROM seller WHERE identifier = $2))
          AND key = $3
        """, [guest, .blob(intent.seller?.hash), .blob(intent.keyHash)]
    ) { row throws(StoreError) in
      EarlierRegistration(
        product: try row.productID(0).orDamaged(),
        seller: try row.seller(id: 4, name: 5, contact: 6).orDamaged(),
        created: row.timestamp(1).seconds, digest: row.blob(2), pictures: row.blob(3))
    }
  }

  /// Registers a product and logs it, and answers with it; a repeated request is answered as before.
  ///
  /// Three round trips with the answer: existing rows, rows that get an id, and rows that need those ids.
  /// - Throws: `.conflict` for a concurrent request with the same key, or an ended lease.
  func register(
    _ draft: RegistrationDraft, for intent: RegistrationIntent, now: Int64,
    indexing text: (String, String, String) -> IndexText
  ) throws(StoreError) -> Outcome<Reading<ProductDetail?>> {
    let (sellers, pictures, changes) = (database.sellers, database.pictures, database.changes)
    if let key = intent.seller { try sellers.ensure(of: key) }
    let hashes = draft.pictures.map(\.hash)
    let ((earlier, password), (held, known)) = try database.read(
      together(
        together(earlier(intent), changes.keeping(passwordHash: draft.passwordHash)),
        together(
          intent.seller.map(sellers.held) ?? Reading(.guest), pictures.keys(of: hashes))))
    if let earlier {
      try changes.releasePassword(password)
      return try database.read(answer(earlier, to: intent)).map { Reading($0) }
    }
    guard let held else { throw .conflict }
    let seller = try sellers.named(held)
    var product = StoredProduct(
      draft.product(of: seller, at: now), seller: seller.id.rawValue, password: password,
      pictures: [])
    let (keys, id) = try database.read(
      together(
        pictures.inserting(draft.pictures, knowing: known),
        changes.inserting(product, thumbnail: hashes.first)))
    product.pictures = keys
    try pictures.insertFiles(of: draft.pictures, keys: keys, knowing: known)
    let (name, description) = (product.product.name, product.product.description)
    try changes.complete(id, product, text(name, description, seller.name))
    try remember(intent, product, id, hashes: hashes, now: now)
    return .success(database.products.detail(of: id))
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

  /// The response to a repeated request: the product, or `.keyReused` where the digest differs.
  func answer(
    _ earlier: EarlierRegistration, to intent: RegistrationIntent
  ) -> Reading<Outcome<ProductDetail>> {
    guard earlier.digest == intent.digest else { return Reading(.failure(.keyReused)) }
    return database.products.detail(of: earlier.product).map { detail in
      (detail ?? earlier.answer(to: intent)).map { .success($0) } ?? .failure(.notFound)
    }
  }
}
