import MarketModel
import SQLiteKit

extension SQLiteStore {
  package func register(
    _ registration: ProductRegistration, by author: Author, key: IdempotencyKey
  ) async throws(RepositoryError) -> ProductDetail {
    let problems = StorageRules.problems(of: registration)
    guard problems.isEmpty else { throw .invalid(problems) }
    let intent = RegistrationIntent(author: author, key: key)
    // Looked up before the costly part; the transaction looks again.
    let earlier = try await read(pages) { connection throws(DatabaseError) in
      try connection.earlierRegistration(intent)
    }
    if let earlier { return try await detail(of: earlier) }
    let pictures = try await prepare(registration.pictures)
    let hash = try await hash(registration.password)
    let draft = RegistrationDraft(registration, pictures: pictures, passwordHash: hash)
    let now = now()
    let grams = grams
    return try await write { connection throws(DatabaseError) in
      try connection.writingUnlessRefused { () throws(DatabaseError) in
        try connection.register(draft, for: intent, now: now, grams: grams)
      }
    }.get()
  }

  /// Makes uploaded files fit to be kept.
  func prepare(_ files: [[UInt8]]) async throws(RepositoryError) -> [PreparedPicture] {
    var pictures: [PreparedPicture] = []
    for file in files {
      do {
        pictures.append(try await pictureProcessor.prepare(file))
      } catch .cancelled {
        throw .cancelled
      } catch .tooLarge {
        let problem = FieldError.Problem.pictureTooLarge(maximumBytes: StorageRules.pictureBytes)
        throw .invalid([FieldError(.pictures, problem)])
      } catch {
        throw .invalid([FieldError(.pictures, .unsupportedPicture)])
      }
    }
    return pictures
  }

  private func hash(_ password: Password) async throws(RepositoryError) -> String {
    do {
      return try await passwords.hash(password)
    } catch {
      // Argon2id fails for want of memory only.
      throw .store(.failed(code: 0))
    }
  }
}

/// Who wants to register what, however often it is asked for.
struct RegistrationIntent: Sendable {
  /// Nil for a guest.
  let seller: SellerKey?
  let keyHash: [UInt8]

  init(author: Author, key: IdempotencyKey) {
    switch author {
    case .guest: seller = nil
    case .seller(let identifier): seller = SellerKey(identifier)
    }
    keyHash = ContentHash.of(key.rawValue)
  }
}

/// A registration that keeps the rules, with its password hashed and its pictures ready.
struct RegistrationDraft: Sendable {
  let name: String
  let description: String
  let price: Price?
  let stock: Int64
  let pictures: [PreparedPicture]
  let passwordHash: String

  init(_ registration: ProductRegistration, pictures: [PreparedPicture], passwordHash: String) {
    name = registration.name
    description = registration.description
    price = Price(
      full: registration.price, discountHundredths: registration.discountHundredths)
    stock = registration.stock
    self.pictures = pictures
    self.passwordHash = passwordHash
  }
}

extension Connection {
  /// The product that an intent has led to before.
  func earlierRegistration(_ intent: RegistrationIntent) throws(DatabaseError) -> Product.ID? {
    var seller = Seller.guest
    if let key = intent.seller {
      guard let known = try knownSeller(key) else { return nil }
      seller = known
    }
    return try integer(
      "SELECT product FROM idempotency WHERE seller = ? AND key = ?",
      .integer(seller.id.rawValue), .blob(intent.keyHash)
    ).map(Product.ID.init(rawValue:))
  }

  /// Registers a product, or finds what the same intent has registered before.
  func register(
    _ draft: RegistrationDraft, for intent: RegistrationIntent, now: Int64, grams: ProductGrams
  ) throws(DatabaseError) -> Outcome<ProductDetail> {
    guard let price = draft.price else { return .failure(.invalid([])) }
    if let earlier = try earlierRegistration(intent) {
      return try detail(of: earlier).map { .success($0) } ?? .failure(.notFound)
    }
    var seller = Seller.guest
    if let key = intent.seller { seller = try self.seller(key) }
    var pictures: [Int64] = []
    for picture in draft.pictures { pictures.append(try keep(picture)) }
    let record = ProductRecord(
      seller: seller, name: draft.name, description: draft.description, price: price,
      stock: draft.stock, created: now, pictures: pictures,
      password: try keep(passwordHash: draft.passwordHash))
    let id = try insert(record, grams: grams)
    try run(
      "INSERT INTO idempotency (seller, key, product, created) VALUES (?, ?, ?, ?)",
      .integer(seller.id.rawValue), .blob(intent.keyHash), .integer(id.rawValue), .integer(now))
    return try detail(of: id).map { .success($0) } ?? .failure(.notFound)
  }
}
