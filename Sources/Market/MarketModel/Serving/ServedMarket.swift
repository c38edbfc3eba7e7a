import Synchronization

/// Market behind a server, with operations that screens do not need; several servers may share one.
///
/// Every method also throws `.store` where the store cannot be used, and `.cancelled`.
package protocol ServedMarket: ProductRepository, ChangeLog, IdentifiedMarket {
  /// Returns the product of a question.
  ///
  /// - Throws: `.notFound` where the question does not exist.
  func product(ofQuestion id: Question.ID) async throws(RepositoryError) -> Product.ID

  /// Returns the market's id for other programs, after giving a copied file without writes so far an
  /// id of its own.
  ///
  /// - Throws: `.store` where the store cannot be used.
  func ownMarketID() async throws(RepositoryError) -> MarketID?

  /// Returns one page of a query whose `exactTotal(of:)` is known, without counting again.
  ///
  /// - Throws: what `page(_:)` throws.
  func page(
    _ request: PageRequest, of total: Int
  ) async throws(RepositoryError) -> ProductPage

  /// Returns the beginnings of descriptions, in the order of `ids`; empty where there is no such
  /// product.
  ///
  /// - Throws: `.store` where the store cannot be used.
  func descriptions(
    of ids: [Product.ID], atMost characters: Int
  ) async throws(RepositoryError) -> [String]

  /// Returns a stored picture file by its locator.
  ///
  /// - Throws: `.notFound` where there is no such picture.
  func picture(
    at locator: String, _ rendition: PictureRendition
  ) async throws(RepositoryError) -> [UInt8]

  /// Returns a picture file, or the signed address of the storage that has it.
  ///
  /// - Throws: `.notFound` where there is no such picture.
  func servedPicture(
    at locator: String, _ rendition: PictureRendition, for method: SignedAddress.Method
  ) async throws(RepositoryError) -> ServedPicture

  /// Deletes a product, for an author whose password was checked before, and returns it.
  ///
  /// - Throws: `.notFound`; `.notOwner` where the product is another seller's.
  func delete(
    _ id: Product.ID, by author: Author
  ) async throws(RepositoryError) -> ProductDetail

  /// Reads and changes the password attempts on a product, in one transaction for all servers.
  ///
  /// `change` may run more than once.
  ///
  /// - Throws: `.notFound` where there is no such product.
  func changeAttempts<Answer: Sendable>(
    on id: Product.ID, by origin: AttemptOrigin,
    _ change: @escaping @Sendable (inout PasswordAttempts) -> Answer
  ) async throws(RepositoryError) -> Answer

  /// Returns the bytes of the store, without deleted ones that will be reused.
  ///
  /// - Throws: `.store` where the store cannot be used.
  func storedBytes() async throws(RepositoryError) -> Int64

  /// Adds usage to the record that all servers share, and returns the nanoseconds until all of it is
  /// available again; nil where servers share no record.
  ///
  /// - Throws: `.store` where the store cannot be used.
  func share(_ use: RateLimitUsage) async throws(RepositoryError) -> Int64?

  /// Returns an authentication code (HMAC, 32 bytes) that only servers of this market can compute.
  ///
  /// - Throws: `.store` where the store cannot be used.
  func authenticationCode(for message: [UInt8]) async throws(RepositoryError) -> [UInt8]

  /// Returns seconds since 1970 by the clock that all servers of this market share.
  ///
  /// - Throws: `.store` where the store cannot be used.
  func clockSeconds() async throws(RepositoryError) -> Int64

  /// Returns the database position after everything written before this call; nil where the store has
  /// none.
  ///
  /// The position of a request's own commit is in `CommitPosition`, without this query.
  func presentPosition() async -> MarketPosition?

  /// Checks that the market can be read, and, `forWriting`, that it is not read-only; writes nothing.
  ///
  /// - Throws: `.store` with the reason where it cannot.
  func checkReadiness(forWriting: Bool) async throws(RepositoryError)

  /// Checks by a small write, which leaves nothing, that the store has room.
  ///
  /// - Throws: `.store` with the reason where it cannot be written.
  func checkRoom() async throws(RepositoryError)

  /// Counts the products that match a query, at any cost; cacheable while `dataVersion()` is
  /// unchanged.
  ///
  /// - Throws: what `page(_:)` throws.
  func exactTotal(of query: ProductQuery) async throws(RepositoryError) -> Int

  /// Version number that differs after every change of the market, by any program; comparable only
  /// for one object.
  ///
  /// Called before every cached response, so it takes microseconds and does not wait; nil where it is
  /// not known at once. Changes of this object count at once, others within 50 milliseconds.
  func dataVersion() -> Int64?

  /// Returns `dataVersion()` as of this call, after waiting if needed; nil where the store has none.
  func askedDataVersion() async -> Int64?
}

extension ServedMarket {
  package func askedDataVersion() async -> Int64? { dataVersion() }

  /// Returns the version, and waits only where `dataVersion()` is nil.
  package func presentDataVersion() async -> Int64? {
    if let known = dataVersion() { return known }
    return await askedDataVersion()
  }

  /// Returns nil: this market has no replica.
  package func presentPosition() async -> MarketPosition? { nil }
}

/// Receiver of the database position that the commit of a request reports, so that no further query
/// is needed.
package final class CommitPosition: Sendable {
  /// Receiver of the current request; nil where the position is not needed.
  @TaskLocal package static var wanted: CommitPosition?

  private let last = Mutex<MarketPosition?>(nil)

  package init() {}

  /// Position of the last commit; nil where nothing was committed or the store has no positions.
  package var position: MarketPosition? { last.withLock { $0 } }

  package func note(_ position: MarketPosition) { last.withLock { $0 = position } }
}

/// Market as its operator sees it, with more permissions than a seller.
///
/// Every method also throws `.store` where the store cannot be used, and `.cancelled`.
package protocol OperatedMarket: Sendable {
  /// Sets the number and name of a seller; an unknown identifier becomes a seller.
  ///
  /// A nil number keeps the present one or assigns the next, a nil name keeps the present one or
  /// makes one from the number.
  ///
  /// - Throws: `.invalid` naming `.name` for a name that breaks the rules.
  func setSeller(
    _ identifier: SellerIdentifier, number: Seller.ID?, name: String?
  ) async throws(RepositoryError) -> SellerSetting

  /// Sets the market's name (`RepositoryCapabilities.marketName`); nil removes it.
  ///
  /// - Throws: `.store` where the store cannot be used.
  func setMarketName(_ name: String?) async throws(RepositoryError)

  /// Deletes a product without its password, and returns it.
  ///
  /// - Throws: `.notFound` where there is no such product.
  func remove(_ id: Product.ID) async throws(RepositoryError) -> ProductDetail

  /// Returns the newest questions below a number, hidden ones included; of all askers where `asker`
  /// is nil, from the newest where `id` is nil.
  ///
  /// - Throws: `.store` where the store cannot be used.
  func questions(
    by asker: Seller.ID?, below id: Question.ID?, atMost limit: Int
  ) async throws(RepositoryError) -> [ArchivedQuestion]

  /// Deletes a question of any asker.
  ///
  /// - Throws: `.notFound` where there is no such question.
  func removeQuestion(_ id: Question.ID) async throws(RepositoryError)

  /// Returns open reports, the newest first; a nil `id` begins with the newest.
  ///
  /// - Throws: `.store` where the store cannot be used.
  func reports(
    below id: Report.ID?, atMost limit: Int
  ) async throws(RepositoryError) -> [Report]

  /// Returns an open report.
  ///
  /// - Throws: `.notFound` where there is none of this number.
  func report(_ id: Report.ID) async throws(RepositoryError) -> Report

  /// Closes a report.
  ///
  /// - Throws: `.notFound` where there is no open report of this number.
  func dismissReport(_ id: Report.ID) async throws(RepositoryError)

  /// Returns the number of open reports.
  ///
  /// - Throws: `.store` where the store cannot be used.
  func openReportCount() async throws(RepositoryError) -> Int

  /// Sets a product's password and deletes its attempt records, so that no origin stays trusted by
  /// the old one.
  ///
  /// - Throws: `.invalid` naming `.password`; `.notFound` where there is no such product.
  func setPassword(
    _ password: Password, of id: Product.ID
  ) async throws(RepositoryError) -> Product

  /// Blocks or unblocks a seller: every write of a blocked seller is refused with `.blocked`.
  ///
  /// *Guest* stands for all authors without an identifier.
  ///
  /// - Throws: `.notFound` where no seller has the number.
  func setBlocked(
    _ isBlocked: Bool, _ seller: Seller.ID
  ) async throws(RepositoryError) -> Seller

  /// Moves all picture files out of the database or into it, one by one, while servers run, and
  /// returns their number; `show` receives it in between.
  ///
  /// An interrupted move continues when it is started again.
  ///
  /// - Throws: `.store(.picturesUnavailable)` where no picture storage is configured or it fails.
  func movePictures(
    _ direction: PictureDirection, show: @escaping @Sendable (Int) -> Void
  ) async throws(RepositoryError) -> Int

  /// Deletes pictures in the external storage that were unused for `rest` seconds, and returns their
  /// number; nil where the storage belongs to another market, as for a copy of one.
  ///
  /// - Throws: the first failure of the storage, after the other files were tried.
  func sweepPictures(unusedForSeconds rest: Int64) async throws(RepositoryError) -> Int?
}

/// Direction of `movePictures`.
package enum PictureDirection: String, Hashable, Sendable, CaseIterable {
  case outward = "out"
  case inward = "in"
}

/// Result of `setSeller`.
package enum SellerSetting: Hashable, Sendable {
  case set(Seller)
  /// Another seller has the number.
  case numberTaken
  /// The seller has products under this number already, so it cannot change.
  case sells(as: Seller)
}

extension Seller.ID {
  /// Numbers that an operator may assign to a seller.
  package static let assignable: ClosedRange<Int64> = 1...((1 << 28) - 1)
}

/// Response to a request for a picture file.
package enum ServedPicture: Hashable, Sendable {
  case file([UInt8])
  /// The address at which the picture storage serves the file itself.
  case elsewhere(SignedAddress)
}

/// Signed address at which a picture storage serves a file for a limited time, without further
/// authorization.
package struct SignedAddress: Hashable, Sendable {
  /// HTTP method that the address is signed for; the storage refuses all others.
  package enum Method: String, Hashable, Sendable {
    case get = "GET"
    case head = "HEAD"
  }

  package let address: WebAddress
  /// Seconds for which the address may be cached: fewer than it is valid.
  package let freshSeconds: Int

  package init(_ address: WebAddress, freshSeconds: Int) {
    self.address = address
    self.freshSeconds = freshSeconds
  }
}

/// Share of a market's products that the search index has in the present folding.
package final class IndexingProgress: Sendable {
  private let share = Mutex<Double?>(nil)

  package init() {}

  /// From 0 to 1; nil where indexing is complete or not running.
  package var present: Double? { share.withLock { $0 } }

  package func set(to share: Double?) { self.share.withLock { $0 = share } }
}
