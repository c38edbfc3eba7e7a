import MarketModel

/// The tables of a market over one connection, in the SQL of their database.
///
/// Calls that belong together stand in one transaction, which the caller holds.
package protocol MarketTables: SendableMetatype {
  associatedtype Failure: Error
  /// Makes texts findable.
  associatedtype Tokenizer: Sendable
  associatedtype Products: ProductReading where Products.Failure == Failure
  associatedtype Changes: ProductWriting
  where Changes.Failure == Failure, Changes.Tokenizer == Tokenizer
  associatedtype Registrations: RegistrationTable
  where Registrations.Failure == Failure, Registrations.Tokenizer == Tokenizer
  associatedtype Sellers: SellerTable
  where Sellers.Failure == Failure, Sellers.Tokenizer == Tokenizer
  associatedtype Pictures: PictureTable where Pictures.Failure == Failure
  associatedtype PasswordAttemptRows: PasswordAttemptTable
  where PasswordAttemptRows.Failure == Failure
  associatedtype ImportWriter: ImportTable
  where ImportWriter.Failure == Failure, ImportWriter.Tokenizer == Tokenizer
  associatedtype Log: ChangeLogTable where Log.Failure == Failure

  var products: Products { get }
  var changes: Changes { get }
  var registrations: Registrations { get }
  var sellers: Sellers { get }
  var pictures: Pictures { get }
  var attempts: PasswordAttemptRows { get }
  var arrivals: ImportWriter { get }
  var log: Log { get }

  /// Bytes that the market has, without room that is free again.
  func storedBytes() throws(Failure) -> Int64

  /// The key that servers sign by; the first one that asks makes it.
  func serverKey() throws(Failure) -> [UInt8]

  /// The id that the market gave itself; nil before anything was written.
  func marketID() throws(Failure) -> MarketID?

  /// Indexes some of the newest products below a number by the folding of today that are not yet.
  func renewIndex(below: Int64, tokenizer: Tokenizer) throws(Failure) -> IndexRenewal
}

extension MarketTables {
  /// The answer to an intent that came before; nil for a new one.
  func answer(to intent: RegistrationIntent) throws(Failure) -> Outcome<ProductDetail>? {
    guard let earlier = try registrations.earlier(intent) else { return nil }
    return try answer(earlier, to: intent)
  }

  /// What an intent is answered that came before.
  func answer(
    _ earlier: EarlierRegistration, to intent: RegistrationIntent
  ) throws(Failure) -> Outcome<ProductDetail> {
    guard earlier.digest.isEmpty || earlier.digest == intent.digest else {
      return .failure(.keyReused)
    }
    if let detail = try products.detail(of: earlier.product) { return .success(detail) }
    return earlier.answer(to: intent).map { .success($0) } ?? .failure(.notFound)
  }
}

/// The tables as single products are read from them.
package protocol ProductReading {
  associatedtype Failure: Error

  /// A product with everything its detail shows; nil where there is none.
  func detail(of id: Product.ID) throws(Failure) -> ProductDetail?

  /// The same, which nobody else changes until the transaction ends.
  func heldDetail(of id: Product.ID) throws(Failure) -> ProductDetail?

  /// A product with its lock against an author, of one state; nil where there is no such product.
  ///
  /// The transaction around it reads, and may end with it.
  func guardedDetail(of id: Product.ID, for author: Author) throws(Failure) -> GuardedDetail?

  /// Products as lists show them, in any order, without those that are missing.
  func listed(_ ids: [Product.ID]) throws(Failure) -> [Product]

  /// The beginnings of products' texts, in the order of `ids`; empty where there is no such product.
  func descriptions(of ids: [Product.ID], atMost characters: Int) throws(Failure) -> [String]

  /// The lock of a product against an author; nil where there is no such product.
  func lock(of id: Product.ID, for author: Author) throws(Failure) -> ProductLock?
}

/// The tables as products are changed and deleted in them.
package protocol ProductWriting {
  associatedtype Failure: Error
  associatedtype Tokenizer: Sendable

  /// Writes what a patch changes, and that it was changed; the rules were checked, and the product is
  /// held.
  ///
  /// `files` are the new pictures of the patch, fit to be kept, in its order. Gives the product as it is
  /// then; nil where it cannot be read again. The transaction around it may be committed along.
  func apply(
    _ patch: ProductPatch, to old: ProductDetail, files: [StoredPicture], now: Int64,
    tokenizer: Tokenizer
  ) throws(Failure) -> ProductDetail?

  /// Gives a product, which is held, another password.
  func setPassword(of id: Product.ID, toHash hash: String) throws(Failure)

  /// Deletes a product, which is held, with all that belongs to it alone.
  func delete(_ detail: ProductDetail, tokenizer: Tokenizer) throws(Failure)
}

/// The tables as products are registered in them, each intent once.
package protocol RegistrationTable {
  associatedtype Failure: Error
  associatedtype Tokenizer: Sendable

  /// How an intent stands before anything is done for it.
  func standing(of intent: RegistrationIntent) throws(Failure) -> RegistrationStatus

  /// The registration that the key of an intent has led to; nil where it is new.
  func earlier(_ intent: RegistrationIntent) throws(Failure) -> EarlierRegistration?

  /// Registers a product for an intent, and writes that it has come.
  ///
  /// The transaction around it may be committed along where the product was registered now.
  func register(
    _ draft: RegistrationDraft, for intent: RegistrationIntent, now: Int64, tokenizer: Tokenizer
  ) throws(Failure) -> Registered
}

/// The table of sellers.
package protocol SellerTable {
  associatedtype Failure: Error
  associatedtype Tokenizer: Sendable

  /// The seller of an identifier; nil where it is unknown.
  func known(_ key: SellerKey) throws(Failure) -> Seller?

  /// The seller of an archive who is here already: with the same identifier, or without one by the
  /// same name.
  func known(_ archived: ArchivedSeller) throws(Failure) -> Seller?

  /// The seller of an identifier; a new one where it is unknown.
  func seller(_ key: SellerKey) throws(Failure) -> Seller

  /// Adds a seller.
  ///
  /// Who cannot sign in gets a number below 0 where `number` is nil. Returns the number.
  func add(_ archived: ArchivedSeller, number: Int64?) throws(Failure) -> Int64

  /// Whether a seller has this number.
  func isTaken(_ number: Int64) throws(Failure) -> Bool

  /// Gives a seller another name, by which its newest products are found from now on; the others follow
  /// by `renewNames(tokenizer:)`.
  func rename(_ seller: Seller, to name: String, tokenizer: Tokenizer) throws(Failure)

  /// Makes some products found by the present name of their seller.
  func renewNames(tokenizer: Tokenizer) throws(Failure) -> SellerRenameBackfill

  /// Says how a seller is reached; nil takes that back.
  func setContact(of seller: Seller.ID, to contact: SellerContact?) throws(Failure)

  /// Gives a seller without products another number, which is free.
  func renumber(_ seller: Seller.ID, to number: Seller.ID) throws(Failure)

  /// Whether a seller has any product.
  func sells(_ seller: Seller.ID) throws(Failure) -> Bool

  /// Whether the market takes nothing from a seller; nil is *guest*.
  func isBlocked(_ seller: SellerKey?) throws(Failure) -> Bool

  /// Blocks a seller or takes that back; nil where there is no seller of this number.
  func setBlocked(_ isBlocked: Bool, _ seller: Seller.ID) throws(Failure) -> Seller?
}

extension SellerTable {
  /// The seller here of a product that comes in, who keeps the name that it has here; a new one with
  /// the same number, where that is free and of the right kind, where there is none.
  package func seller(
    of archived: ArchivedSeller, _ cache: inout ImportCache
  ) throws(Failure) -> Seller {
    if let known = cache.sellers[archived] { return known }
    let seller: Seller
    if let known = try known(archived) {
      seller = known
    } else {
      var number = archived.preservableID
      if let wanted = number, try isTaken(wanted) { number = nil }
      let id = try add(archived, number: number)
      seller = Seller(id: Seller.ID(rawValue: id), name: archived.name)
    }
    cache.sellers.remember(seller, for: archived)
    return seller
  }

  /// The seller of an identifier under a number that is free, or its own; nil is any.
  func seller(
    _ key: SellerKey, _ known: Seller?, number: Seller.ID?
  ) throws(Failure) -> Seller {
    guard let number, number != known?.id else {
      if let known { return known }
      return try seller(key)
    }
    guard let known else {
      let archived = ArchivedSeller(
        id: number, name: Seller(unnamed: number).name, identifierHash: key.hash)
      _ = try add(archived, number: number.rawValue)
      return Seller(unnamed: number)
    }
    try renumber(known.id, to: number)
    return Seller(id: number, name: known.name)
  }
}

/// The tables of pictures, as their files outside of the database are kept in step with them.
///
/// A file outside is written under a lease, of which a product makes a reference, and is deleted only
/// by a sweep that has marked its lease: whoever finds the mark neither writes nor refers to it. So a
/// picture that is referred to has its files, whatever ends in the middle. All times are those of the
/// database's clock.
package protocol PictureTable {
  associatedtype Failure: Error

  /// Leases pictures from now on, as their files are to be written, and gives the hashes of the
  /// thumbnails of those that are outside already, by those of the pictures; nil where a sweep is
  /// about to delete one of them.
  func lease(_ hashes: [[UInt8]]) throws(Failure) -> [[UInt8]: [UInt8]]?

  /// Marks leases that have run for so many seconds; whoever marked them before and has not ended
  /// within the time of a turn is taken for dead.
  func beginSweep(_ sweep: PictureGarbageCollection) throws(Failure)
    -> PictureGarbageCollection.Turn

  /// Ends the leases of pictures whose files are gone.
  func endSweep(_ hashes: [[UInt8]]) throws(Failure)

  /// The next pictures behind a key whose files are in the database, or outside.
  func pictures(
    after key: Int64, areOutside: Bool, atMost limit: Int
  ) throws(Failure) -> [PictureKey]

  /// Makes a picture one of those outside, where its leased files are; false where it is gone, or
  /// has been moved.
  func moveOut(_ hash: [UInt8], thumbnailHash: [UInt8]) throws(Failure) -> Bool

  /// Takes the files of a picture into the database; false where it is gone, or has been moved. Those
  /// outside are leased from now on, for whoever still reads them.
  func moveIn(
    _ hash: [UInt8], original: [UInt8], thumbnail: [UInt8]
  ) throws(Failure) -> Bool
}

/// The table of password attempts.
package protocol PasswordAttemptTable {
  associatedtype Failure: Error

  /// The attempts on a product by an origin; nil where there is no such product.
  ///
  /// Nobody else counts attempts on it until the transaction ends.
  func held(on id: Product.ID, by origin: AttemptOrigin) throws(Failure) -> LockedAttempts?

  func keep(_ attempts: PasswordAttempts, at position: AttemptKey, now: Int64) throws(Failure)

  /// Forgets all attempts on a product, of whatever origin.
  func forget(on id: Product.ID) throws(Failure)
}

/// The log of changes.
package protocol ChangeLogTable {
  associatedtype Failure: Error

  /// Writes changes that the transaction around this makes, in their order.
  func add(_ changes: [LoggedChange]) throws(Failure)
}

extension ChangeLogTable {
  /// Writes that a product has come, as it is now, has become this, or has gone.
  package func note(_ kind: ProductChange.Kind, _ detail: ProductDetail) throws(Failure) {
    let change = ProductChange(
      id: detail.id, kind: kind, version: kind == .deleted ? nil : detail.version,
      seller: detail.product.seller.id)
    try add([.one(.product(change))])
  }

  /// Writes that a product has come or has changed, whose version is known.
  package func note(
    _ kind: ProductChange.Kind, _ id: Product.ID, version: Int64, of seller: Seller.ID
  ) throws(Failure) {
    let version = ProductVersion(rawValue: String(version))
    try add([.one(.product(ProductChange(id: id, kind: kind, version: version, seller: seller)))])
  }

  /// Writes that a seller has another name or number.
  func note(renamed seller: Seller.ID) throws(Failure) { try add([.one(.seller(seller))]) }
}

/// The tables as an import writes them.
package protocol ImportTable: SendableMetatype {
  associatedtype Failure: Error
  associatedtype Tokenizer: Sendable
  /// Texts that a product is found by.
  associatedtype Text: Sendable

  /// The highest number that a product has ever had; 0 where there was none.
  func highestProductID() throws(Failure) -> Int64

  /// What the tables have of products that are to come in, in their order.
  func traces(of products: [IncomingProduct]) throws(Failure) -> [ImportMatch]

  /// Notes that something has come; false where it had.
  func note(_ key: [UInt8]) throws(Failure) -> Bool

  /// Texts that a product is found by where its seller has this name.
  static func text(
    of product: ArchivedProduct, under sellerName: String, tokenizer: Tokenizer
  ) -> Text

  /// Inserts what is new of a batch.
  func take(
    _ rows: [ImportRow<Text>], pictures: [String: StoredPicture], tokenizer: Tokenizer,
    remembering cache: inout ImportCache
  ) throws(Failure) -> WrittenBatch
}

extension ImportTable {
  /// Texts that a row's product is found by where its seller has this name.
  package func text(of row: ImportRow<Text>, under name: String, tokenizer: Tokenizer) -> Text {
    guard name != row.product.seller.name else { return row.text }
    return Self.text(of: row.product, under: name, tokenizer: tokenizer)
  }
}
