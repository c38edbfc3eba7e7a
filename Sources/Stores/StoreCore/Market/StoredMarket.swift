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
  /// Like `statements`, for files of pictures, which are large.
  case files
}

/// Market in a SQL database: registers, verifies, changes and deletes products through the tables of a
/// `MarketDatabase`, in SQLite and in PostgreSQL alike.
package protocol StoredMarket:
  AnyObject, ServedMarket, OperatedMarket, UploadStore, PictureSource, MarketArchive
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
  var bookmarks: OrderBookmarks { get }
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

  /// One page of a query with words, after a key, whose number of matches may be known; nil for a query
  /// without words.
  /// - Throws: `.store` or `.cancelled`.
  func search(
    _ request: PageRequest, after key: OrderKey?, counted total: Int?
  ) async throws(RepositoryError) -> ProductPage?

  /// The number of matches of a query with words, without a limit; nil for one without words.
  /// - Throws: `.store` or `.cancelled`.
  func searchTotal(of query: ProductQuery) async throws(RepositoryError) -> Int?

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

  package func checkRoom() async throws(RepositoryError) {
    try await write(isRepeatable: true) { database throws(StoreError) in
      .success(try database.registrations.checkRoom())
    }
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
      guard var locked = try database.attempts.locked(on: id, by: origin) else {
        return .failure(.notFound)
      }
      let answer = change(&locked.attempts)
      try database.attempts.save(locked.attempts, at: locked.key, now: now)
      return .success(answer)
    }
  }

  package func standings(
    of products: [IncomingProduct]
  ) async throws(RepositoryError) -> [ImportDecision] {
    let matches = try await read(.oneState) { database throws(StoreError) in
      try database.archive.matches(of: products)
    }
    return zip(matches, products).map { $0.decision(for: $1) }
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
