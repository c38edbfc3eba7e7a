import MarketModel
import SQLiteKit

/// Table of registrations, one for each idempotency key.
///
/// Where two servers register one request at once, one of them violates the key of `idempotency`, and
/// finds the other's product when its transaction is run again.
/// - Throws: every call throws the `StoreError` of its statement.
struct RegistrationTable {
  /// Seconds for which a request is recorded: 30 days; a repetition after that registers another product.
  private static let retentionSeconds: Int64 = 30 * 86_400
  /// Maximum number of requests deleted at once; more than are added between two deletions.
  private static let deletedAtOnce: Int64 = 1_000
  /// Old requests are deleted after one product in so many, so that servers which share a store rarely
  /// contend.
  private static let productsBetweenDeletions: Int64 = 64

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

  /// The response to a repeated request: the product, or `.keyReused` where the digest differs.
  func answer(
    _ earlier: EarlierRegistration, to intent: RegistrationIntent
  ) -> Reading<Outcome<ProductDetail>> {
    guard earlier.digest == intent.digest else { return Reading(.failure(.keyReused)) }
    return database.products.detail(of: earlier.product).map { detail in
      (detail ?? earlier.answer(to: intent)).map { .success($0) } ?? .failure(.notFound)
    }
  }

  /// Registers a product and logs it, and answers with it; a repeated request is answered as before.
  ///
  /// `product` has its password's hash, and the transaction gives it its seller.
  ///
  /// Three round trips with the answer: existing rows, rows that get an id, and rows that need those ids.
  /// - Throws: `.conflict` for a concurrent request with the same key, or an ended lease.
  func register(
    _ product: ArchivedProduct, _ files: [StoredPicture], for intent: RegistrationIntent,
    indexing text: (String, String, String) -> IndexText
  ) throws(StoreError) -> Outcome<Reading<ProductDetail?>> {
    let (sellers, pictures, changes) = (database.sellers, database.pictures, database.changes)
    if let key = intent.seller { try sellers.ensure(of: key) }
    let hashes = files.map(\.hash)
    let ((earlier, password), (locked, known)) = try database.read(
      together(
        together(earlier(intent), changes.insertingPassword(hash: product.passwordHash)),
        together(
          intent.seller.map(sellers.locked) ?? Reading(.guest), pictures.lockedKeys(of: hashes))))
    if let earlier {
      try changes.releasePassword(password)
      return try database.read(answer(earlier, to: intent)).map { Reading($0) }
    }
    guard let locked else { throw .conflict }
    let seller = try sellers.named(locked)
    var stored = StoredProduct(product, seller: seller.id.rawValue, password: password)
    let (keys, id) = try database.read(
      together(
        pictures.inserting(files, knowing: known),
        changes.inserting(stored, thumbnail: hashes.first)))
    stored.pictures = keys
    try pictures.insertFiles(of: files, keys: keys, knowing: known)
    try changes.complete(id, stored, text(product.name, product.description, seller.name))
    try database.post(
      """
      INSERT INTO idempotency (seller, key, product, created, digest, pictures)
      VALUES ($1, $2, $3, $4, $5, $6)
      """, .integer(stored.seller), .blob(intent.keyHash), .integer(id.rawValue),
      .integer(product.created), .blob(intent.digest),
      .blob(EarlierRegistration.packed(zip(keys, hashes).map { Picture(number: $0, hash: $1) })))
    if id.rawValue % Self.productsBetweenDeletions == 0 { try deleteOld(now: product.created) }
    try database.log(.listed, id, version: product.version, of: seller.id)
    return .success(database.products.detail(of: id))
  }

  /// Inserts a row of 64 KB, which takes new pages, and deletes it again.
  func checkRoom() throws(StoreError) {
    let key = SQLValue.blob(ContentHash.of(String(UInt64.random(in: .min ... .max))))
    try database.post(
      """
      INSERT INTO idempotency (seller, key, product, created, digest, pictures)
      VALUES (-1, $1, 0, 0, $1, $2)
      """, key, .blob([UInt8](repeating: 0x2E, count: 64 << 10)))
    try database.post("DELETE FROM idempotency WHERE seller = -1 AND key = $1", key)
  }

  private func deleteOld(now: Int64) throws(StoreError) {
    try database.post(
      """
      DELETE FROM idempotency WHERE (seller, key) IN (
        SELECT seller, key FROM idempotency WHERE created < $1 ORDER BY created LIMIT $2)
      """, .integer(now - Self.retentionSeconds), .integer(Self.deletedAtOnce))
  }
}

/// Request to register a product; equal however often it is sent.
package struct RegistrationIntent: Sendable {
  /// Nil for a guest.
  package let seller: SellerKey?
  package let keyHash: [UInt8]
  /// Digest of the request without the password: a hash as fast as this one would make the password
  /// guessable.
  package let digest: [UInt8]
  let registration: ProductRegistration

  package init(author: Author, key: IdempotencyKey, _ registration: ProductRegistration) {
    seller = author.sellerKey
    keyHash = ContentHash.of(key.rawValue)
    digest = Self.digest(of: registration)
    self.registration = registration
  }

  /// Digest of all fields that differ from their default, so that a registration without a later field
  /// has the same digest for servers with and without it.
  private static func digest(of registration: ProductRegistration) -> [UInt8] {
    let fields = ProductField.all(beginningWith: []).filter { registration[$0] != $0.standard }
    let texts = fields.flatMap { [$0.rawValue] + (registration[$0]?.texts ?? []) }
    // Hashes have one length, so that two registrations never yield the same bytes.
    return ContentHash.of(
      texts.flatMap { ContentHash.of($0) }
        + registration.pictures.flatMap { ContentHash.of($0) })
  }
}

extension ArchivedProduct {
  /// The product of a valid registration, registered at a time in seconds since 1970, without its seller
  /// and its pictures.
  init(_ registration: ProductRegistration, price: Price, passwordHash: String, at now: Int64) {
    self.init(
      name: "", price: price, stock: 0, created: now, changed: now, passwordHash: passwordHash)
    set(registration.fieldValues)
  }
}

/// Earlier registration with the same key.
struct EarlierRegistration: Sendable {
  let product: Product.ID
  let seller: Seller
  /// Seconds since 1970.
  let created: Int64
  /// Digest of the earlier request.
  let digest: [UInt8]
  /// The pictures in the form of `packed(_:)`.
  let pictures: [UInt8]

  /// Ids (8 bytes, big-endian) and hashes of pictures, concatenated.
  static func packed(_ pictures: [Picture]) -> [UInt8] {
    pictures.flatMap { picture in
      (picture.number ?? 0).bigEndianBytes
        + (Picture.hash(in: picture.original, of: .original) ?? [])
    }
  }

  /// The response to the earlier request, for a product deleted since; nil in a forged row.
  func answer(to intent: RegistrationIntent) -> ProductDetail? {
    let registration = intent.registration
    let price = Price(
      full: registration.price, discountHundredths: registration.discountHundredths)
    let size = 8 + ContentHash.byteCount
    guard let price, pictures.count.isMultiple(of: size) else { return nil }
    let all = stride(from: 0, to: pictures.count, by: size).map { start in
      Picture(
        number: pictures[start..<(start + 8)].reduce(0) { $0 << 8 | Int64($1) },
        hash: Array(pictures[(start + 8)..<(start + size)]))
    }
    var archived = ArchivedProduct(registration, price: price, passwordHash: "", at: created)
    archived.seller.name = seller.name
    let stored = StoredProduct(archived, id: product.rawValue, seller: seller.id.rawValue)
    var detail = stored.detail(with: all)
    detail?.product.thumbnail = all.first
    return detail
  }
}
