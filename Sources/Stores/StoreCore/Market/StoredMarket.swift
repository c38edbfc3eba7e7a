import MarketModel
import SQLiteKit

/// Result of a transaction that may refuse its call.
package typealias Outcome<Value> = Result<Value, RepositoryError>

/// Consistency of a read: which statements have to see one state of the database.
package enum ReadExtent: Sendable {
  /// Each statement sees its own state; no transaction is opened.
  case statements
  /// All statements see one state.
  case oneState
  /// Like `oneState`, over the connections of searches, so that a slow one delays no other read.
  case search
}

/// Market in a SQL database: registers, verifies, changes and deletes products through the tables of a
/// `MarketDatabase`, in SQLite and in PostgreSQL alike.
package protocol StoredMarket:
  AnyObject, ServedMarket, OperatedMarket, PictureSource, MarketArchive
{
  var passwords: PasswordHasher { get }
  var pictureProcessor: any PictureProcessor { get }
  /// Storage for the files of new pictures; nil stores them in the database.
  var outside: ExternalPictures? { get }
  /// The clock, in seconds since 1970 in UTC.
  var now: @Sendable () -> Int64 { get }
  var signature: ServerSignature { get }
  /// Splits texts and searches into words.
  var tokenizer: SearchTokenizer { get }
  /// Progress of a renewal of the search index.
  var indexing: IndexingProgress { get }
  var marks: OrderBookmarks { get }
  var rows: ListedRowCache { get }

  /// Search text of a product's name, its description and its seller's name.
  func indexText(_ name: String, _ description: String, _ sellerName: String) -> IndexText

  /// Runs a body that reads, and the statements of its answer.
  /// - Throws: the `RepositoryError` of the body's `StoreError` (`.store`, `.cancelled`).
  func read<Answer: Sendable>(
    _ extent: ReadExtent,
    _ body: @escaping @Sendable (any MarketDatabase) throws(StoreError) -> Reading<Answer>
  ) async throws(RepositoryError) -> Answer

  /// Runs a body that writes and may refuse, in one transaction, which a refusal rolls back; the statements
  /// of its answer are run and the transaction is committed in one round trip.
  ///
  /// A repeatable body has no further effect when it runs twice, so that it is run again where the
  /// outcome of its commit is unknown.
  ///
  /// - Throws: the refusal that the body returns; the `RepositoryError` of the body's `StoreError`
  ///   (`.store`, `.cancelled`), `.store(.unconfirmed)` where the commit of an unrepeatable body was
  ///   lost.
  func write<Answer: Sendable>(
    isRepeatable: Bool,
    _ body: @escaping @Sendable (any MarketDatabase) throws(StoreError) -> Outcome<Reading<Answer>>
  ) async throws(RepositoryError) -> Answer

  /// One page of a query with words, whose number of matches may be known; nil for one without words.
  /// - Throws: `.unknownCursor` for a cursor of another query; `.store` or `.cancelled`.
  func search(
    _ request: PageRequest, counted total: Int?
  ) async throws(RepositoryError) -> ProductPage?

  /// The number of matches of a query with words, without a limit; nil for one without words.
  /// - Throws: `.store` or `.cancelled`.
  func searchTotal(of query: ProductQuery) async throws(RepositoryError) -> Int?

  /// One file of a picture; nil where there is no picture of this hash.
  /// - Throws: `.store` or `.cancelled`, as `read(_:_:)`.
  func file(
    ofPicture hash: [UInt8], _ rendition: PictureRendition
  ) async throws(RepositoryError) -> StoredPictureFile?

  /// Prepares the store for bulk inserts.
  /// - Throws: `.store` or `.cancelled`.
  func beginBulk() async throws(RepositoryError)

  /// Restores what `beginBulk()` has changed, after the last bulk insert.
  /// - Throws: `.store` or `.cancelled`.
  func endBulk() async throws(RepositoryError)
}

extension StoredMarket {
  /// Runs a body that reads.
  /// - Throws: the `RepositoryError` of the body's `StoreError` (`.store`, `.cancelled`).
  package func read<Answer: Sendable>(
    _ extent: ReadExtent,
    _ body: @escaping @Sendable (any MarketDatabase) throws(StoreError) -> Answer
  ) async throws(RepositoryError) -> Answer {
    try await read(extent) { database throws(StoreError) -> Reading<Answer> in
      Reading(try body(database))
    }
  }

  /// Runs a body that writes and may refuse, in one transaction, which a refusal rolls back.
  /// - Throws: what `write(isRepeatable:_:)` with a reading throws.
  package func write<Answer: Sendable>(
    isRepeatable: Bool,
    _ body: @escaping @Sendable (any MarketDatabase) throws(StoreError) -> Outcome<Answer>
  ) async throws(RepositoryError) -> Answer {
    try await write(isRepeatable: isRepeatable) {
      database throws(StoreError) -> Outcome<Reading<Answer>> in
      try body(database).map { Reading($0) }
    }
  }

  package func capabilities() async throws(RepositoryError) -> RepositoryCapabilities {
    var capabilities = RepositoryCapabilities.full
    capabilities.marketName = try await read(.statements) { database throws(StoreError) in
      try database.marketName()
    }
    return capabilities
  }

  package func page(_ request: PageRequest) async throws(RepositoryError) -> ProductPage {
    try await page(request, counted: nil)
  }

  package func page(
    _ request: PageRequest, of total: Int
  ) async throws(RepositoryError) -> ProductPage {
    var page = try await page(request, counted: total)
    // A total that was read with the page is of one state with it.
    if case .atLeast = page.total { page.total = .exactly(total) }
    return page
  }

  private func page(
    _ request: PageRequest, counted total: Int?
  ) async throws(RepositoryError) -> ProductPage {
    if let ids = request.query.ids { return try await page(of: ids, in: request) }
    let narrowing = ProductConditions(request.query)
    if request.query.findsNothing || narrowing.passesNothing { return .nothing }
    if let page = try await search(request, counted: total) { return page }
    let (marks, rows) = (marks, rows)
    let isQuick = narrowing.isOfStatesAlone && !request.walksAnOrder
    let page = try await read(isQuick ? .oneState : .search) {
      database throws(StoreError) -> Reading<Outcome<ProductPage>> in
      switch try PageQueries(database).page(request, marks: marks, keeping: rows) {
      case .success(let page): page.map { .success($0) }
      case .failure(let refusal): Reading(.failure(refusal))
      }
    }
    return try page.get()
  }

  package func exactTotal(of query: ProductQuery) async throws(RepositoryError) -> Int {
    if let ids = query.ids { return try await exactTotal(of: query, among: ids) }
    let narrowing = ProductConditions(query)
    if query.findsNothing || narrowing.passesNothing { return 0 }
    if let total = try await searchTotal(of: query) { return total }
    return try await read(narrowing.isOfStatesAlone ? .oneState : .search) {
      database throws(StoreError) in try PageQueries(database).total(of: narrowing)
    }
  }

  package func detail(of id: Product.ID) async throws(RepositoryError) -> ProductDetail {
    guard let detail = try await read(.oneState, { $0.products.detail(of: id) }) else {
      throw .notFound
    }
    return detail
  }

  package func total(of query: ProductQuery) async throws(RepositoryError) -> ProductTotal {
    .exactly(try await exactTotal(of: query))
  }

  package func descriptions(
    of ids: [Product.ID], atMost characters: Int
  ) async throws(RepositoryError) -> [String] {
    try await read(.statements) { database throws(StoreError) in
      try database.products.descriptions(of: ids, atMost: characters)
    }
  }

  /// Adds all products of a seed to the market in one transaction.
  /// - Throws: `.store` or `.cancelled`; the store is unchanged then.
  package func seed(_ seed: SeedMarket) async throws(RepositoryError) {
    try await write(isRepeatable: false) { database throws(StoreError) in
      .success(try ProductWriter(database, indexing: self.indexText).insert(seed))
    }
  }

  package func storedBytes() async throws(RepositoryError) -> Int64 {
    try await read(.statements) { database throws(StoreError) in try database.storedBytes() }
  }

  package func authenticationCode(for message: [UInt8]) async throws(RepositoryError) -> [UInt8] {
    try await signature.code(for: message) { () throws(RepositoryError) in
      try await self.write(isRepeatable: true) { database throws(StoreError) in
        .success(try database.serverKey())
      }
    }
  }

  package func marketID() async throws(RepositoryError) -> MarketID? {
    try await read(.statements) { database throws(StoreError) in try database.identity.row()?.id }
  }

  package func setMarketName(_ name: String?) async throws(RepositoryError) {
    try await write(isRepeatable: true) { database throws(StoreError) in
      .success(try database.setMarketName(name))
    }
  }

  package func newestCurrency() async throws(RepositoryError) -> Currency? {
    try await page(PageRequest(size: 1)).products.first?.pricing.price?.currency
  }

  package func ownMarketID() async throws(RepositoryError) -> MarketID? {
    do throws(RepositoryError) {
      // The first write gives a copied store its own id.
      return try await write(isRepeatable: true) { database throws(StoreError) in
        .success(try database.identity.row()?.id)
      }
    } catch {
      // A read-only store keeps its id.
      return try await marketID()
    }
  }

  package func changeAttempts<Answer: Sendable>(
    on id: Product.ID, by origin: AttemptOrigin,
    _ change: @escaping @Sendable (inout PasswordAttempts) -> Answer
  ) async throws(RepositoryError) -> Answer {
    let now = now()
    return try await write(isRepeatable: false) { database throws(StoreError) in
      guard var held = try database.attempts.held(on: id, by: origin) else {
        return .failure(.notFound)
      }
      let answer = change(&held.attempts)
      try database.attempts.save(held.attempts, at: held.key, now: now)
      return .success(answer)
    }
  }

  package func standings(
    of products: [IncomingProduct]
  ) async throws(RepositoryError) -> [ImportDecision] {
    let traces = try await read(.oneState) { database throws(StoreError) in
      try database.archive.matches(of: products)
    }
    return zip(traces, products).map { $0.standing(of: $1) }
  }

  package func beginImport() async throws(RepositoryError) -> any MarketImport {
    try await beginBulk()
    let cache = try await read(.oneState) { database throws(StoreError) in
      ImportCache(
        highestOwnID: try database.highestID(in: .product),
        highestOwnQuestion: try database.highestID(in: .question))
    }
    return StoreImport(into: self, remembering: cache)
  }
}

// MARK: Pictures

extension StoredMarket {
  package func picture(
    at locator: String, _ rendition: PictureRendition
  ) async throws(RepositoryError) -> [UInt8] {
    let (hash, file) = try await stored(locator, rendition)
    return try await file.bytes(of: hash, rendition, in: outside)
  }

  package func servedPicture(
    at locator: String, _ rendition: PictureRendition, for method: SignedAddress.Method
  ) async throws(RepositoryError) -> ServedPicture {
    let (hash, file) = try await stored(locator, rendition)
    if case .outside = file,
      let address = outside?.signedAddress(of: hash, rendition, for: method, at: now())
    {
      return .elsewhere(address)
    }
    return .file(try await file.bytes(of: hash, rendition, in: outside))
  }

  private func stored(
    _ locator: String, _ rendition: PictureRendition
  ) async throws(RepositoryError) -> (hash: [UInt8], file: StoredPictureFile) {
    guard let hash = Picture.hash(in: locator, of: rendition),
      let file = try await file(ofPicture: hash, rendition)
    else { throw .notFound }
    return (hash, file)
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
    return try await read(.statements) { database throws(StoreError) in
      try database.sellers.known(key)
    }
  }

  package func change(
    _ identifier: SellerIdentifier, _ change: SellerChange
  ) async throws(RepositoryError) -> Seller {
    let problems = StorageRules.sellerName(change.name)
    guard problems.isEmpty else { throw .invalid(problems) }
    let (key, tokenizer) = (SellerKey(identifier), tokenizer)
    let changed = try await write(isRepeatable: true) {
      database throws(StoreError) -> Outcome<(seller: Seller, isRenamed: Bool)> in
      if try database.read(database.sellers.isBlocked(key)) { return .failure(.blocked) }
      let seller = try database.sellers.seller(key)
      let changed = change.applied(to: seller)
      if changed.name != seller.name {
        try SellerNames(database, tokenizer).rename(seller, to: changed.name)
      }
      if changed.contact != seller.contact {
        try database.sellers.setContact(of: seller.id, to: changed.contact)
      }
      if changed != seller { try database.log(renamed: seller.id) }
      return .success((seller: changed, isRenamed: changed.name != seller.name))
    }
    if changed.isRenamed { followNames() }
    return changed.seller
  }

  package func setSeller(
    _ identifier: SellerIdentifier, number: Seller.ID?, name: String?
  ) async throws(RepositoryError) -> SellerSetting {
    let problems = name.map(StorageRules.sellerName) ?? []
    guard problems.isEmpty else { throw .invalid(problems) }
    let (key, tokenizer) = (SellerKey(identifier), tokenizer)
    let setting: SellerSetting = try await write(isRepeatable: true) {
      database throws(StoreError) in
      let sellers = database.sellers
      let known = try sellers.known(key)
      if let number, number != known?.id {
        if try sellers.isTaken(number.rawValue) { return .success(.numberTaken) }
        if let known, try sellers.sells(known.id) { return .success(.sells(as: known)) }
      }
      var seller = try sellers.seller(key, known, number: number)
      // A name derived from the previous number follows the new one.
      let name = name ?? (known?.isNamed == true ? seller.name : Seller(unnamed: seller.id).name)
      if name != seller.name {
        try SellerNames(database, tokenizer).rename(seller, to: name)
        seller.name = name
      }
      if seller != known { try database.log(renamed: seller.id) }
      return .success(.set(seller))
    }
    // An operator's program exits after its answer, and servers beside it do not know of the name. Where
    // the renewal fails the next start repeats it; the seller is renamed all the same.
    try? await renewNames()
    return setting
  }

  package func setBlocked(
    _ isBlocked: Bool, _ seller: Seller.ID
  ) async throws(RepositoryError) -> Seller {
    try await write(isRepeatable: true) { database throws(StoreError) in
      guard let changed = try database.sellers.setBlocked(isBlocked, seller) else {
        return .failure(.notFound)
      }
      // The seller's questions are hidden, or shown again.
      try database.questions.recount(askedBy: seller)
      try database.log(renamed: seller)
      return .success(changed)
    }
  }
}

// MARK: Registering, changing and deleting

/// Expensive work is done before the transaction, which checks everything again.
extension StoredMarket {
  package func register(
    _ registration: ProductRegistration, by author: Author, key: IdempotencyKey
  ) async throws(RepositoryError) -> ProductDetail {
    let problems = StorageRules.problems(of: registration)
    let price = Price(
      full: registration.price, discountHundredths: registration.discountHundredths)
    guard problems.isEmpty, let price else { throw .invalid(problems) }
    let intent = RegistrationIntent(author: author, key: key, registration)
    let (isBlocked, earlier) = try await read(.statements) { database in
      together(
        database.sellers.isBlocked(intent.seller), database.registrations.earlier(intent))
    }
    if isBlocked { throw .blocked }
    if let earlier {
      return try await read(.oneState) { $0.registrations.answer(earlier, to: intent) }.get()
    }
    let prepared = try await prepare(registration.pictures)
    let hash = try await hash(registration.password)
    let pictures = try await keep(prepared)
    let draft = RegistrationDraft(
      registration: registration, price: price, pictures: pictures, passwordHash: hash)
    let now = now()
    // The key makes a registration unique, however often it is run.
    let registered = try await write(isRepeatable: true) { database throws(StoreError) in
      try database.registrations.register(draft, for: intent, now: now, indexing: self.indexText)
    }
    guard let registered else { throw .notFound }
    return registered
  }

  package func verify(
    _ password: Password, for id: Product.ID, by author: Author
  ) async throws(RepositoryError) {
    let lock = try await read(.statements) { $0.products.lock(of: id, for: author) }
    guard let lock else { throw .notFound }
    try await verify(password, against: lock, by: author)
  }

  private func verify(
    _ password: Password, against lock: ProductLock, by author: Author
  ) async throws(RepositoryError) {
    // The owner is checked first: it costs nothing, and another seller learns nothing about the password.
    if let refusal = lock.refusal(of: author) { throw refusal }
    let matches: Bool
    do {
      matches = try await passwords.matches(password, lock.passwordHash)
    } catch {
      throw RepositoryError(error)
    }
    guard matches else { throw .wrongPassword }
  }

  /// Whether the stored password hash of a product equals this text, as in a sample market; any other
  /// password has a salt of its own.
  package func keeps(passwordHash: String, for id: Product.ID) async -> Bool {
    let lock = try? await read(.statements) { $0.products.lock(of: id, for: .guest) }
    return lock?.passwordHash == passwordHash
  }

  package func update(
    _ id: Product.ID, with patch: ProductPatch, password: Password, by author: Author,
    expecting expected: ProductVersion?
  ) async throws(RepositoryError) -> ProductDetail {
    let (present, lock) = try await read(.oneState) { database in
      together(database.products.detail(of: id), database.products.lock(of: id, for: author))
    }
    guard let present, let lock else { throw .notFound }
    try await verify(password, against: lock, by: author)
    // Refused before the pictures are processed.
    if let refusal = patch.refusal(over: present, expecting: expected) { throw refusal }
    let files = try await keep(try await prepare(patch.pictures?.newFiles ?? []))
    let (now, tokenizer) = (now(), tokenizer)
    let changed = try await write(isRepeatable: false) {
      database throws(StoreError) -> Outcome<Reading<ProductDetail?>> in
      guard let present = try database.products.heldDetail(of: id) else {
        return .failure(.notFound)
      }
      if let refusal = patch.refusal(over: present, expecting: expected) {
        return .failure(refusal)
      }
      guard !patch.isEmpty else { return .success(Reading(present)) }
      try database.changes.apply(patch, to: present, files: files, now: now, tokenizer)
      return .success(database.products.detail(of: id))
    }
    guard let changed else { throw .notFound }
    return changed
  }

  package func delete(
    _ id: Product.ID, password: Password, by author: Author
  ) async throws(RepositoryError) -> ProductDetail {
    try await verify(password, for: id, by: author)
    return try await delete(id, by: author)
  }

  package func delete(
    _ id: Product.ID, by author: Author
  ) async throws(RepositoryError) -> ProductDetail {
    let tokenizer = tokenizer
    return try await write(isRepeatable: false) { database throws(StoreError) in
      guard let present = try database.products.heldDetail(of: id),
        let lock = try database.read(database.products.lock(of: id, for: author))
      else { return .failure(.notFound) }
      if let refusal = lock.refusal(of: author) { return .failure(refusal) }
      try database.changes.delete(present, tokenizer)
      return .success(present)
    }
  }

  package func remove(_ id: Product.ID) async throws(RepositoryError) -> ProductDetail {
    let tokenizer = tokenizer
    return try await write(isRepeatable: false) { database throws(StoreError) in
      guard let present = try database.products.heldDetail(of: id) else {
        return .failure(.notFound)
      }
      try database.changes.delete(present, tokenizer)
      return .success(present)
    }
  }

  package func setPassword(
    _ password: Password, of id: Product.ID
  ) async throws(RepositoryError) -> Product {
    let problems = StorageRules.password(password)
    guard problems.isEmpty else { throw .invalid(problems) }
    let hash = try await hash(password)
    return try await write(isRepeatable: true) { database throws(StoreError) in
      guard let present = try database.products.heldDetail(of: id) else {
        return .failure(.notFound)
      }
      try database.changes.setPassword(of: id, toHash: hash)
      try database.attempts.forget(on: id)
      return .success(present.product)
    }
  }

  /// Processes uploaded files, in their order.
  /// - Throws: `.invalid` for a file that is too large or cannot be decoded; `.cancelled`.
  private func prepare(_ files: [[UInt8]]) async throws(RepositoryError) -> [PreparedPicture] {
    var pictures: [PreparedPicture] = []
    for outcome in await outcomes(of: files) {
      do {
        pictures.append(try outcome.get())
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

  /// Results of processing uploaded files, in their order; the processor limits how many run at a time.
  private func outcomes(of files: [[UInt8]]) async -> [Result<PreparedPicture, PictureError>] {
    await withTaskGroup(of: (Int, Result<PreparedPicture, PictureError>).self) { group in
      for (index, file) in files.enumerated() {
        group.addTask {
          // By itself: in a tuple around a throwing wait, Swift 6.3 loses the index in release builds.
          let outcome = await self.outcome(of: file)
          return (index, outcome)
        }
      }
      return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  private func outcome(of file: [UInt8]) async -> Result<PreparedPicture, PictureError> {
    do throws(PictureError) {
      return .success(try await pictureProcessor.prepare(file))
    } catch {
      return .failure(error)
    }
  }

  private func hash(_ password: Password) async throws(RepositoryError) -> String {
    do {
      return try await passwords.hash(password)
    } catch {
      throw RepositoryError(error)
    }
  }
}

extension RepositoryError {
  fileprivate init(_ failure: PasswordHasher.Failure) {
    switch failure {
    case .impossible: self = .store(.failed(code: 0))
    case .busy: self = .store(.locked)
    }
  }
}
