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
}

extension ArchivedProduct {
  /// The product of a valid registration, registered at a time in seconds since 1970, without its seller
  /// and its pictures.
  init(_ registration: ProductRegistration, price: Price, passwordHash: String, at now: Int64) {
    self.init(
      name: "", price: price, stock: 0, created: now, changed: now, passwordHash: passwordHash)
    take(registration.fieldValues)
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
