import MarketModel

/// What a call comes to where the store may refuse it.
package typealias Outcome<Value> = Result<Value, RepositoryError>

/// How much of a database a body that reads has to see as it is at one moment.
package enum ReadExtent: Sendable {
  /// Each statement by itself; none needs a transaction around it.
  case statements
  /// All statements together.
  case oneState
}

/// A market behind SQL: what its tables answer, from which follows how products are registered,
/// guarded, changed and deleted, whichever database holds the tables.
package protocol StoredMarket: ServedMarket, OperatedMarket, PictureSource, MarketArchive {
  associatedtype Tables: MarketTables

  var passwords: PasswordHasher { get }
  var pictureProcessor: any PictureProcessor { get }
  /// The clock, in seconds since 1970 in UTC.
  var now: @Sendable () -> Int64 { get }
  var signature: ServerSignature { get }
  /// Makes texts findable.
  var tokenizer: Tables.Tokenizer { get }

  /// Runs a body that reads.
  func read<Answer: Sendable>(
    _ extent: ReadExtent,
    _ body: @escaping @Sendable (Tables) throws(Tables.Failure) -> Answer
  ) async throws(RepositoryError) -> Answer

  /// Runs a body that writes and may refuse, in one transaction.
  ///
  /// - Parameters:
  ///   - isRepeatable: whether running it twice does no more than running it once, so that it may be
  ///     run again where nobody knows whether it was committed.
  ///   - body: what it did before it refused is undone.
  /// - Returns: what the body returned.
  /// - Throws: the refusal, or `.store` with the reason.
  func write<Answer: Sendable>(
    isRepeatable: Bool,
    _ body: @escaping @Sendable (Tables) throws(Tables.Failure) -> Outcome<Answer>
  ) async throws(RepositoryError) -> Answer

  /// The bytes of a picture; nil where there is none of this hash.
  func file(
    ofPicture hash: [UInt8], _ rendition: PictureRendition
  ) async throws(RepositoryError) -> [UInt8]?

  /// Adds products to the market, all or none.
  func seed(_ seed: SeedMarket) async throws(RepositoryError)

  /// Makes ready for many seeds.
  func beginBulk() async throws(RepositoryError)

  /// Tidies up after many seeds.
  func endBulk() async throws(RepositoryError)
}

extension StoredMarket {
  package func capabilities() async throws(RepositoryError) -> RepositoryCapabilities { .full }

  package func descriptions(
    of ids: [Product.ID], atMost characters: Int
  ) async throws(RepositoryError) -> [String] {
    try await read(.statements) { tables throws(Tables.Failure) in
      try tables.products.descriptions(of: ids, atMost: characters)
    }
  }

  package func storedBytes() async throws(RepositoryError) -> Int64 {
    try await read(.statements) { tables throws(Tables.Failure) in try tables.storedBytes() }
  }

  package func authenticationCode(for message: [UInt8]) async throws(RepositoryError) -> [UInt8] {
    try await signature.code(for: message) { () throws(RepositoryError) in
      try await self.write(isRepeatable: true) { tables throws(Tables.Failure) in
        .success(try tables.serverKey())
      }
    }
  }

  package func changeAttempts<Answer: Sendable>(
    on id: Product.ID, by origin: AttemptOrigin,
    _ change: @escaping @Sendable (inout PasswordAttempts) -> Answer
  ) async throws(RepositoryError) -> Answer {
    let now = now()
    return try await write(isRepeatable: false) { tables throws(Tables.Failure) in
      guard let isOpen = try tables.attempts.lock(on: id) else { return .failure(.notFound) }
      let place = AttemptPlace(origin, on: id, isOpen: isOpen)
      var attempts = try tables.attempts.attempts(at: place)
      let answer = change(&attempts)
      try tables.attempts.keep(attempts, at: place, now: now)
      return .success(answer)
    }
  }

  package func beginImport() async throws(RepositoryError) -> any MarketImport {
    try await beginBulk()
    let highest = try await read(.oneState) { tables throws(Tables.Failure) in
      try tables.arrivals.highestProductID()
    }
    return StoreImport(into: self, after: highest)
  }
}

// MARK: Pictures

extension StoredMarket {
  package func picture(
    at locator: String, _ rendition: PictureRendition
  ) async throws(RepositoryError) -> [UInt8] {
    guard let hash = Picture.hash(in: locator, of: rendition),
      let file = try await file(ofPicture: hash, rendition)
    else { throw .notFound }
    return file
  }

  package func bytes(
    of picture: Picture, _ rendition: PictureRendition
  ) async throws(PictureError) -> [UInt8] {
    do {
      return try await self.picture(at: picture.locator(of: rendition), rendition)
    } catch {
      switch error {
      case .notFound: throw .missing
      case .cancelled: throw .cancelled
      default: throw .unreachable
      }
    }
  }
}

// MARK: Sellers

extension StoredMarket {
  package func seller(of identifier: SellerIdentifier) async throws(RepositoryError) -> Seller? {
    let key = SellerKey(identifier)
    return try await read(.statements) { tables throws(Tables.Failure) in
      try tables.sellers.known(key)
    }
  }

  package func rename(
    _ identifier: SellerIdentifier, to name: String
  ) async throws(RepositoryError) -> Seller {
    let problems = StorageRules.sellerName(name)
    guard problems.isEmpty else { throw .invalid(problems) }
    let (key, tokenizer) = (SellerKey(identifier), tokenizer)
    return try await write(isRepeatable: true) { tables throws(Tables.Failure) in
      if try tables.sellers.isBlocked(key) { return .failure(.blocked) }
      var seller = try tables.sellers.seller(key)
      if seller.name != name { try tables.sellers.rename(seller, to: name, tokenizer: tokenizer) }
      seller.name = name
      return .success(seller)
    }
  }

  package func setSeller(
    _ identifier: SellerIdentifier, number: Seller.ID?, name: String?
  ) async throws(RepositoryError) -> SellerSetting {
    let problems = name.map(StorageRules.sellerName) ?? []
    guard problems.isEmpty else { throw .invalid(problems) }
    let (key, tokenizer) = (SellerKey(identifier), tokenizer)
    return try await write(isRepeatable: true) { tables throws(Tables.Failure) in
      let sellers = tables.sellers
      let known = try sellers.known(key)
      if let number, number != known?.id {
        if try sellers.isTaken(number.rawValue) { return .success(.numberTaken) }
        if let known, try sellers.sells(known.id) { return .success(.sells(as: known)) }
      }
      var seller = try sellers.seller(key, known, number: number)
      // A name that was made of the number before follows it.
      let name = name ?? (known?.isNamed == true ? seller.name : Seller(unnamed: seller.id).name)
      if name != seller.name {
        try sellers.rename(seller, to: name, tokenizer: tokenizer)
        seller.name = name
      }
      return .success(.set(seller))
    }
  }

  package func setBlocked(
    _ isBlocked: Bool, _ seller: Seller.ID
  ) async throws(RepositoryError) -> Seller {
    try await write(isRepeatable: true) { tables throws(Tables.Failure) in
      try tables.sellers.setBlocked(isBlocked, seller).map { .success($0) } ?? .failure(.notFound)
    }
  }
}
