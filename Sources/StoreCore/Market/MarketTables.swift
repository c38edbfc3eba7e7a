import MarketModel

/// What the tables of a market answer over one connection, in the SQL of their database.
///
/// Calls that belong together stand in one transaction, which the caller holds.
package protocol MarketTables: SendableMetatype {
  associatedtype Failure: Error
  /// Makes texts findable.
  associatedtype Words: Sendable
  /// What a product is found by.
  associatedtype Text: Sendable

  /// What guards a product against an author; nil where there is none.
  func lock(of id: Product.ID, for author: Author) throws(Failure) -> ProductLock?

  /// A product with everything its detail shows; nil where there is none.
  func detail(of id: Product.ID) throws(Failure) -> ProductDetail?

  /// The same, which nobody else changes until the transaction ends.
  func heldDetail(of id: Product.ID) throws(Failure) -> ProductDetail?

  /// The beginnings of products' texts, in the order of `ids`; empty where there is no such product.
  func descriptions(of ids: [Product.ID], atMost characters: Int) throws(Failure) -> [String]

  /// What the key of an intent has led to before; nil where it is new.
  func earlierRegistration(_ intent: RegistrationIntent) throws(Failure) -> EarlierRegistration?

  /// Registers a product, or finds what the same intent has registered before.
  func register(
    _ draft: RegistrationDraft, for intent: RegistrationIntent, now: Int64, words: Words
  ) throws(Failure) -> Outcome<ProductDetail>

  /// Writes what a patch changes; the rules were checked, and the product is held.
  ///
  /// - Parameters:
  ///   - patch: the changes.
  ///   - old: the product as it is.
  ///   - files: the new pictures of the patch, fit to be kept, in its order.
  ///   - now: the time of the change.
  ///   - words: makes texts findable.
  /// - Throws: what the database answered.
  func apply(
    _ patch: ProductPatch, to old: ProductDetail, files: [PreparedPicture], now: Int64,
    words: Words
  ) throws(Failure)

  /// Deletes a product, which is held, with all that belongs to it alone.
  func delete(_ detail: ProductDetail, words: Words) throws(Failure)

  /// The seller of an identifier; nil where it is unknown.
  func knownSeller(_ key: SellerKey) throws(Failure) -> Seller?

  /// The seller of an identifier; a new one where it is unknown.
  func seller(_ key: SellerKey) throws(Failure) -> Seller

  /// Gives a seller another name, by which its products are found from now on.
  func rename(_ seller: Seller, to name: String, words: Words) throws(Failure)

  /// Whether the market takes nothing from a seller; nil is *guest*.
  func isBlocked(_ seller: SellerKey?) throws(Failure) -> Bool

  /// Blocks a seller or takes that back; nil where there is no seller of this number.
  func setBlocked(_ isBlocked: Bool, _ seller: Seller.ID) throws(Failure) -> Seller?

  /// Whether a seller has any product.
  func sells(_ seller: Seller.ID) throws(Failure) -> Bool

  /// Gives a seller without products another number, which is free.
  func renumber(_ seller: Seller.ID, to number: Seller.ID) throws(Failure)

  /// Whether nobody can sign in as the seller of a product; nil where there is no such product.
  ///
  /// Nobody else counts tries on it until the transaction ends.
  func lockTries(on id: Product.ID) throws(Failure) -> Bool?

  func tries(at place: TryPlace) throws(Failure) -> PasswordTries

  func keep(_ tries: PasswordTries, at place: TryPlace, now: Int64) throws(Failure)

  /// Bytes that the market has, without room that is free again.
  func storedBytes() throws(Failure) -> Int64

  /// The key that servers sign by; the first one that asks makes it.
  func serverKey() throws(Failure) -> [UInt8]
}
