import MarketModel

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

  /// Seconds for which a request is remembered: 30 days; a repetition after that registers another product.
  package static let memorySeconds: Int64 = 30 * 86_400

  /// Maximum number of requests deleted at once; more than are added between two deletions.
  package static let forgottenAtOnce: Int64 = 1_000

  /// Whether older requests are deleted after this registration: for one product in 64, so that servers
  /// which share a store rarely contend.
  package static func isTimeToForget(after product: Product.ID) -> Bool {
    product.rawValue % 64 == 0
  }
}

/// A valid registration, with its password hashed and its pictures processed.
struct RegistrationDraft: Sendable {
  let registration: ProductRegistration
  let price: Price
  let pictures: [StoredPicture]
  let passwordHash: String

  /// The product as it will be stored, without its pictures.
  func product(of seller: Seller, at now: Int64) -> ArchivedProduct {
    var product = ArchivedProduct(
      seller: ArchivedSeller(id: seller.id, name: seller.name), name: "", price: price, stock: 0,
      created: now, changed: now, passwordHash: passwordHash)
    product.take(registration.fieldValues)
    return product
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
    let draft = RegistrationDraft(
      registration: registration, price: price, pictures: [], passwordHash: "")
    let stored = StoredProduct(
      draft.product(of: seller, at: created), id: product.rawValue, seller: seller.id.rawValue,
      password: 0, pictures: [])
    var detail = stored.detail(with: all)
    detail?.product.thumbnail = all.first
    return detail
  }
}

extension Int64 {
  fileprivate var bigEndianBytes: [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: self >> (56 - 8 * $0)) }
  }
}
