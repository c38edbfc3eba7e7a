import MarketModel

/// Intent to register a product, the same one however often it is sent.
package struct RegistrationIntent: Sendable {
  /// Nil for a guest.
  package let seller: SellerKey?
  package let keyHash: [UInt8]
  /// Digest of what is to be registered, without the password: a hash as fast as this one would be
  /// a way to guess it.
  package let digest: [UInt8]
  let registration: ProductRegistration

  package init(author: Author, key: IdempotencyKey, _ registration: ProductRegistration) {
    seller = author.sellerKey
    keyHash = ContentHash.of(key.rawValue)
    digest = Self.digest(of: registration)
    self.registration = registration
  }

  private static func digest(of registration: ProductRegistration) -> [UInt8] {
    let price = registration.price
    let numbers = [price.hundredths, registration.discountHundredths, registration.stock]
    // Hashes are all of one length, so that no two registrations come to the same bytes.
    let texts = [registration.name, registration.description, price.currency.rawValue]
    return ContentHash.of(
      numbers.flatMap(\.bigEndianBytes) + texts.flatMap { ContentHash.of($0) }
        + registration.pictures.flatMap { ContentHash.of($0) }
        + further.flatMap { said(of: $0, in: registration).flatMap { ContentHash.of($0) } })
  }

  /// The fields that are newer than the digest; where nothing is said of them it stays what it was.
  private static let further: [ProductField] = {
    let first: [ProductField] = [
      .pictures, .name, .price, .currency, .discount, .stock, .description,
    ]
    return Array(ProductField.all(beginningWith: first).dropFirst(first.count))
  }()

  private static func said(
    of field: ProductField, in registration: ProductRegistration
  ) -> [String] {
    let value = registration[field]
    return value == field.standard ? [] : [field.rawValue] + (value?.texts ?? [])
  }

  /// Time for which an intent is remembered: 30 days, after which nobody repeats a request.
  package static let memorySeconds: Int64 = 30 * 86_400

  /// More than are added between two times to forget.
  package static let forgottenAtOnce: Int64 = 1_000

  /// Whether older intents are to be forgotten with this registration: rarely, so that servers which
  /// share a store are seldom in each other's way.
  package static func isTimeToForget(after product: Product.ID) -> Bool {
    product.rawValue % 64 == 0
  }
}

/// A registration that keeps the rules, with its password hashed and its pictures ready.
struct RegistrationDraft: Sendable {
  let registration: ProductRegistration
  let price: Price
  let pictures: [StoredPicture]
  let passwordHash: String

  /// The product of a seller as it will be, but for its pictures.
  func product(of seller: Seller, at now: Int64) -> ArchivedProduct {
    var product = ArchivedProduct(
      seller: ArchivedSeller(id: seller.id, name: seller.name), name: "", price: price, stock: 0,
      created: now, changed: now, passwordHash: passwordHash)
    product.take(registration.fieldValues)
    return product
  }
}

/// What became of a registration.
enum Registered: Sendable {
  case now(ProductDetail)
  /// Its key had led to another one.
  case before(EarlierRegistration)
  /// It cannot be read again.
  case gone
}

/// Registration that a key has led to before.
struct EarlierRegistration: Sendable {
  let product: Product.ID
  let seller: Seller
  /// Seconds since 1970.
  let created: Int64
  /// Digest of what the key came with; empty where that was not kept yet.
  let digest: [UInt8]
  /// The pictures as `packed` wrote them.
  let pictures: [UInt8]

  /// Numbers and hashes of pictures, one after the other.
  static func packed(_ pictures: [Picture]) -> [UInt8] {
    pictures.flatMap { picture in
      (picture.number ?? 0).bigEndianBytes
        + (Picture.hash(in: picture.original, of: .original) ?? [])
    }
  }

  /// The answer of then, where the product has gone since; nil where too little was kept.
  func answer(to intent: RegistrationIntent) -> ProductDetail? {
    let registration = intent.registration
    let price = Price(
      full: registration.price, discountHundredths: registration.discountHundredths)
    let size = 8 + ContentHash.byteCount
    guard let price, !digest.isEmpty, pictures.count.isMultiple(of: size) else { return nil }
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
