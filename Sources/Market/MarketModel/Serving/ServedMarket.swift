import Synchronization

/// Market behind a server, which needs more of it than a screen does; several servers may share
/// one.
package protocol ServedMarket: ProductRepository, ChangeLog, IdentifiedMarket {
  /// The product of a question; `.notFound` where it is gone.
  func product(ofQuestion id: Question.ID) async throws(RepositoryError) -> Product.ID

  /// The market's id as others may be told it: a copy that was not written to yet gets its own by this.
  func ownMarketID() async throws(RepositoryError) -> MarketID?

  /// One page of a query that was counted before, as `exactTotal(of:)` says, so that nothing is
  /// counted again.
  func page(
    _ request: PageRequest, of total: Int
  ) async throws(RepositoryError) -> ProductPage

  /// The beginnings of products' texts in the order of `ids`, for lists that show them; an empty one
  /// where there is no such product.
  func descriptions(
    of ids: [Product.ID], atMost characters: Int
  ) async throws(RepositoryError) -> [String]

  /// The file of a picture as it is kept, by where one of the market's products says that it is;
  /// `.notFound` where there is none.
  func picture(
    at locator: String, _ rendition: PictureRendition
  ) async throws(RepositoryError) -> [UInt8]

  /// What a client gets that asks by a method for the file of a picture; `.notFound` where there is
  /// none.
  func servedPicture(
    at locator: String, _ rendition: PictureRendition, for method: SignedAddress.Method
  ) async throws(RepositoryError) -> ServedPicture

  /// Deletes a product for an author whose password was checked before, and answers with it;
  /// `.notFound` and `.notOwner` are thrown.
  func delete(
    _ id: Product.ID, by author: Author
  ) async throws(RepositoryError) -> ProductDetail

  /// Reads and changes what is known of the passwords that were tried on a product, as one step
  /// for all servers of the market.
  ///
  /// The change may run more than once. `.notFound` is thrown where there is no such product.
  func changeAttempts<Answer: Sendable>(
    on id: Product.ID, by origin: AttemptOrigin,
    _ change: @escaping @Sendable (inout PasswordAttempts) -> Answer
  ) async throws(RepositoryError) -> Answer

  /// Bytes that the market has in its store, without what was deleted and may be used again.
  func storedBytes() async throws(RepositoryError) -> Int64

  /// Adds a use to what all servers of the market know of an address, and gives the nanoseconds until
  /// nothing is used up any more; nil where servers do not share that.
  func share(_ use: RateLimitUsage) async throws(RepositoryError) -> Int64?

  /// A code that only the servers of this market can make of a message (HMAC), 32 bytes.
  func authenticationCode(for message: [UInt8]) async throws(RepositoryError) -> [UInt8]

  /// The time in seconds since 1970, by the one clock that all servers of this market share.
  func clockSeconds() async throws(RepositoryError) -> Int64

  /// The position of the market after everything that was written before this call; nil where it does
  /// not tell.
  ///
  /// What a request has written itself is noted in `CommitPosition`, without this question.
  func presentPosition() async -> MarketPosition?

  /// Finds out whether the market can be read and changed at this moment, and throws why it cannot.
  func checkReadiness() async throws(RepositoryError)

  /// The number of products that match a query, whatever counting them costs; worth remembering as
  /// long as `dataVersion()` stays the same.
  func exactTotal(of query: ProductQuery) async throws(RepositoryError) -> Int

  /// A number that is another one after any change of the market, whoever made it; comparable only
  /// among numbers of one object.
  ///
  /// Asked before every answer that may be remembered, so it takes microseconds and waits for
  /// nothing; nil where it cannot be told at once. What this object has changed itself it knows at
  /// once, and what others have within 50 milliseconds.
  func dataVersion() -> Int64?

  /// The same number as it is after this call, where it has to be waited for; nil where it cannot be
  /// told at all.
  func askedDataVersion() async -> Int64?
}

extension ServedMarket {
  package func askedDataVersion() async -> Int64? { dataVersion() }

  /// The version, waited for only where it is not known.
  package func presentDataVersion() async -> Int64? {
    if let known = dataVersion() { return known }
    return await askedDataVersion()
  }

  /// Nil: nothing follows this market.
  package func presentPosition() async -> MarketPosition? { nil }
}

/// Place where a market notes how far it has come with what a request has written.
///
/// A commit says so on its own way back, so nobody has to ask for it.
package final class CommitPosition: Sendable {
  /// The place of the request under way; nil where nobody wants to know.
  @TaskLocal package static var wanted: CommitPosition?

  private let last = Mutex<MarketPosition?>(nil)

  package init() {}

  /// The position of the last commit; nil where nothing was committed, or none was told.
  package var position: MarketPosition? { last.withLock { $0 } }

  package func note(_ position: MarketPosition) { last.withLock { $0 = position } }
}

/// Market as its operator sees it, who may do more than its sellers.
package protocol OperatedMarket: Sendable {
  /// Gives an identifier its public number and its name; an unknown one becomes a seller.
  ///
  /// Without a number it keeps its own or gets the next one, without a name it keeps its own or gets
  /// one made of the number. Throws `.invalid` for a name that breaks the rules.
  func setSeller(
    _ identifier: SellerIdentifier, number: Seller.ID?, name: String?
  ) async throws(RepositoryError) -> SellerSetting

  /// Gives the market a name, which `RepositoryCapabilities.marketName` says, or takes it away by nil.
  func setMarketName(_ name: String?) async throws(RepositoryError)

  /// Deletes a product, whatever its password is, and answers with it; `.notFound` is thrown.
  func remove(_ id: Product.ID) async throws(RepositoryError) -> ProductDetail

  /// The newest questions below a number, hidden ones too: those of one asker, nil of all.
  func questions(
    by asker: Seller.ID?, below id: Question.ID?, atMost limit: Int
  ) async throws(RepositoryError) -> [ArchivedQuestion]

  /// Deletes a question of any asker; `.notFound` is thrown.
  func removeQuestion(_ id: Question.ID) async throws(RepositoryError)

  /// Gives a product another password and forgets all tries on it, so that no origin counts as one
  /// that knew the old one; `.invalid` for a password that breaks the rules and `.notFound` are thrown.
  func setPassword(
    _ password: Password, of id: Product.ID
  ) async throws(RepositoryError) -> Product

  /// Refuses everything that a seller writes from now on, or takes it again; `.notFound` is thrown
  /// where nobody has the number.
  ///
  /// *Guest* is everybody who shows no identifier.
  func setBlocked(
    _ isBlocked: Bool, _ seller: Seller.ID
  ) async throws(RepositoryError) -> Seller

  /// Moves the files of all pictures out of the database or into it, one by one, while servers use
  /// them, and gives the number of those that were moved; `show` is told it on the way.
  ///
  /// One that was cut short goes on where it is begun again. Throws `.store` where the place outside
  /// was not named, or fails.
  func movePictures(
    _ direction: PictureDirection, show: @escaping @Sendable (Int) -> Void
  ) async throws(RepositoryError) -> Int

  /// Deletes the files outside of pictures that nothing has referred to for so many seconds, and gives
  /// the number of pictures; nil where the place outside is another market's, as for a copy of one.
  func sweepPictures(unusedForSeconds rest: Int64) async throws(RepositoryError) -> Int?
}

/// Direction in which pictures are moved.
package enum PictureDirection: String, Hashable, Sendable, CaseIterable {
  case outward = "out"
  case inward = "in"
}

/// Outcome of giving a seller a number.
package enum SellerSetting: Hashable, Sendable {
  case set(Seller)
  /// Another seller has the number.
  case numberTaken
  /// The seller has products under this number already.
  case sells(as: Seller)
}

extension Seller.ID {
  /// The numbers that can be given to a seller.
  package static let assignable: ClosedRange<Int64> = 1...((1 << 28) - 1)
}

/// What a server gives whoever asks for the file of a picture.
package enum ServedPicture: Hashable, Sendable {
  case file([UInt8])
  /// Where the storage that has the file hands it out itself.
  case elsewhere(SignedAddress)
}

/// Address at which a storage hands a file out for a while to whoever knows the address.
package struct SignedAddress: Hashable, Sendable {
  /// Method that an address is signed for; by any other one the storage refuses.
  package enum Method: String, Hashable, Sendable {
    case get = "GET"
    case head = "HEAD"
  }

  package let address: WebAddress
  /// Seconds for which somebody may remember the address: fewer than it is good for.
  package let freshSeconds: Int

  package init(_ address: WebAddress, freshSeconds: Int) {
    self.address = address
    self.freshSeconds = freshSeconds
  }
}

/// Share of a market's products that are in its search index by the folding of today.
package final class IndexingProgress: Sendable {
  private let share = Mutex<Double?>(nil)

  package init() {}

  /// From 0 to 1; nil where all are, or nobody is at it.
  package var present: Double? { share.withLock { $0 } }

  package func set(to share: Double?) { self.share.withLock { $0 = share } }
}
