import MarketModel

/// A market behind SQL: what its tables answer, from which follows how products are registered,
/// guarded, changed and deleted, whichever database holds the tables.
package protocol StoredMarket: ServedMarket, OperatedMarket, PictureSource, MarketArchive {
  associatedtype Tables: ImportTables

  var passwords: PasswordHasher { get }
  var pictureProcessor: any PictureProcessor { get }
  /// The clock, in seconds since 1970 in UTC.
  var now: @Sendable () -> Int64 { get }
  var signature: ServerSignature { get }
  /// Makes texts findable.
  var words: Tables.Words { get }

  /// Runs a body that reads, so that all it asks sees one state of the database.
  func reading<Answer: Sendable>(
    _ body: @escaping @Sendable (Tables) throws(Tables.Failure) -> Answer
  ) async throws(RepositoryError) -> Answer

  /// Runs a body that asks one thing, which needs no transaction around it.
  func asking<Answer: Sendable>(
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
  func writing<Answer: Sendable>(
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
