import MarketModel
import SQLiteKit

/// Connection to the database of a market.
///
/// The caller opens the transaction around calls that belong together.
/// - Throws: every call throws the `StoreError` of its statement, and `.damaged` where a row cannot be read.
package protocol MarketDatabase: AnyObject {
  /// How its statements are written.
  var dialect: SQLDialect { get }

  /// Calls `read` for each row of a statement until it returns false.
  /// - Throws: the statement's `StoreError`, or what `read` throws.
  func forEach(
    _ sql: SQL, _ values: [SQLValue], read: (StoredRow) throws(StoreError) -> Bool
  ) throws(StoreError)

  /// Runs independent statements in their order and in one round trip.
  /// - Throws: the `StoreError` of the first statement that fails, or what its `read` throws.
  func run(_ queries: [Query]) throws(StoreError)

  /// Sends a statement whose rows the caller does not need.
  ///
  /// - Throws: the statement's `StoreError`, which a later call may throw in its place.
  func post(_ sql: SQL, _ values: [SQLValue]) throws(StoreError)

  /// Runs a statement, and returns the number of rows that it inserted, changed or deleted.
  func count(_ sql: SQL, _ values: [SQLValue]) throws(StoreError) -> Int

  /// Runs a statement that locks rows; does nothing in SQLite, which locks the whole file.
  func lock(_ sql: SQL, _ values: [SQLValue]) throws(StoreError)

  /// Bytes that the market takes on disk, without pages that are free again.
  func storedBytes() throws(StoreError) -> Int64

  /// Makes new rows get numbers above `number`, which was not the table's next.
  func skipNumbers(upTo number: Int64, in table: NumberedTable) throws(StoreError)

  // MARK: Log and counts

  /// Writes changes that the transaction makes to the log, in their order.
  func log(_ changes: [LoggedChange]) throws(StoreError)

  /// Counts that a product was added, changed or deleted; `before` and `after` are its state, nil for no
  /// product.
  ///
  /// A change that leaves the state counts too: cursors and counted pages are invalidated by it.
  func countProduct(_ id: Product.ID, from before: Int?, to after: Int?) throws(StoreError)

  // MARK: Pages

  /// The number of products of some states.
  func total(of states: [Int]) -> Reading<Int>

  /// The number of products that pass some conditions, up to a limit; nil is none.
  func count(_ narrowing: ProductConditions, atMost limit: Int?) throws(StoreError) -> Int

  /// Finds the position of a product by the number of newer ones of some states before it: the start of
  /// its block, and the number of products to skip in it; nil past the end.
  func position(
    atOffset offset: Int, in states: [Int]
  ) throws(StoreError) -> (after: OrderKey, offset: Int)?

  /// A number that changes with any change of a product.
  func productsVersion() throws(StoreError) -> Int64?

  /// The next bookmarks of a walk, after one or from the beginning; fewer than `count` where the order
  /// ends.
  func bookmarks(
    along walk: OrderBookmarks.Walk, after: OrderKey?, count: Int
  ) throws(StoreError) -> [OrderKey]

  /// One page of the products that pass some conditions.
  func page(
    of narrowing: ProductConditions, from start: PageStart, in order: StoredOrder, size: Int,
    _ products: OrderedProducts
  ) throws(StoreError) -> Reading<ProductPage>

  // MARK: Search

  /// Adds a new product to the search index.
  func addToIndex(
    _ product: Product.ID, _ text: IndexText, of seller: Seller.ID
  ) throws(StoreError)

  /// The texts under which the search index has a product, which may have its seller's previous name.
  func productTexts(of detail: ProductDetail) throws(StoreError) -> ProductTexts

  /// Replaces the texts of a product in the search index; removes it where `new` is nil.
  func changeIndex(
    of product: Product.ID, from old: ProductTexts, to new: ProductTexts?,
    _ tokenizer: SearchTokenizer
  ) throws(StoreError)

  /// Updates the search index after a change of a product's price; its texts are the same.
  func changePriceInIndex(of product: Product.ID) throws(StoreError)

  /// Sets the name of a seller, and records that its products are indexed by the previous one.
  func setName(of seller: Seller, to name: String) throws(StoreError)

  /// A renamed seller some of whose products, up to an id, are indexed by a previous name, and which no
  /// other server is renewing; nil where there is none.
  func nextRenamed() throws(StoreError) -> (seller: Seller.ID, last: Int64)?

  /// Whether any product is indexed by a previous name of its seller.
  func hasPreviousNames() throws(StoreError) -> Bool

  /// Indexes products of a seller by its current name.
  func indexName(
    of seller: Seller.ID, in products: [Product.ID], _ tokenizer: SearchTokenizer
  ) throws(StoreError)

  /// Records that of a seller's products only those up to an id are indexed by a previous name; none for
  /// nil.
  func recordPreviousNames(of seller: Seller.ID, upTo last: Int64?) throws(StoreError)

  /// The share of products, 0 to 1, whose texts are indexed by the tokenizer's folding; nil for all.
  func renewedShare(_ tokenizer: SearchTokenizer) throws(StoreError) -> Double?

  /// Runs one step of the renewal of the search index after a change of the folding.
  func renewIndex(_ tokenizer: SearchTokenizer) throws(StoreError) -> IndexRenewal

  // MARK: Many products

  /// The highest number that a row of the table has ever had; 0 where there was none.
  func highestID(in table: NumberedTable) throws(StoreError) -> Int64

  /// Ids for new products, rising, above all that a product has ever had and above `last`.
  func newProductIDs(_ count: Int, above last: Int64) throws(StoreError) -> [Int64]

  /// Adds many new products to the search index.
  func addToIndex(_ products: [NewProduct]) throws(StoreError)

  /// Adds changes to the counts of blocks; comes last in a transaction, since other writers then wait for
  /// the coarsest blocks.
  func count(_ changes: BlockChanges) throws(StoreError)
}

/// Table whose rows get rising numbers, none of them reused.
package enum NumberedTable: String {
  case product, seller, question
}

/// Text of a product in the form in which the search index of a database stores it.
package struct IndexText: Hashable, Sendable {
  package let words: String
  /// Hashes of letter groups; empty where only words are indexed.
  package let grams: [Int32]

  package init(words: String, grams: [Int32] = []) {
    self.words = words
    self.grams = grams
  }
}

/// Texts of a product that are searched, as stored, uncut.
package struct ProductTexts: Hashable, Sendable {
  /// Maximum length in bytes when read back from the index; longer than any request could be.
  package static let bytes = 4 << 20

  package var name: String
  package var description: String
  package let seller: Seller.ID
  package var sellerName: String

  package init(name: String, description: String, seller: Seller.ID, sellerName: String) {
    self.name = name
    self.description = description
    self.seller = seller
    self.sellerName = sellerName
  }

  package init(_ detail: ProductDetail) {
    let seller = detail.product.seller
    self.init(
      name: detail.product.name, description: detail.description, seller: seller.id,
      sellerName: seller.name)
  }
}

extension MarketDatabase {
  /// All rows of a statement, each as `read` reads it.
  ///
  /// Is inlined into each caller: as a generic function it takes longer than reading small rows does.
  @inline(__always)
  /// - Throws: what `forEach(_:_:read:)` throws.
  package func all<Element>(
    _ sql: SQL, _ values: [SQLValue] = [], read: (StoredRow) throws(StoreError) -> Element
  ) throws(StoreError) -> [Element] {
    var elements: [Element] = []
    try forEach(sql, values) { row throws(StoreError) in
      elements.append(try read(row))
      return true
    }
    return elements
  }

  /// The first row of a statement as `read` reads it; nil where there is none.
  /// - Throws: what `forEach(_:_:read:)` throws.
  package func first<Element>(
    _ sql: SQL, _ values: [SQLValue] = [], read: (StoredRow) throws(StoreError) -> Element
  ) throws(StoreError) -> Element? {
    var element: Element?
    try forEach(sql, values) { row throws(StoreError) in
      element = try read(row)
      return false
    }
    return element
  }

  /// The first column of the first row; nil where there is no row.
  /// - Throws: what `forEach(_:_:read:)` throws.
  package func integer(_ sql: SQL, _ values: SQLValue...) throws(StoreError) -> Int64? {
    try first(sql, values) { $0.integer(0) }
  }

  package func post(_ sql: SQL, _ values: SQLValue...) throws(StoreError) {
    try post(sql, values)
  }

  // MARK: Tables

  package var products: ProductQueries { ProductQueries(database: self) }
  package var identity: IdentityTable { IdentityTable(database: self) }
  package var archive: ArchiveReader { ArchiveReader(database: self) }
  package var changes: ProductChanges { ProductChanges(database: self) }
  package var sellers: SellerTable { SellerTable(database: self) }
  package var pictures: PictureTable { PictureTable(database: self) }
  package var questions: QuestionTable { QuestionTable(database: self) }
  var questionKeys: QuestionKeyTable { QuestionKeyTable(database: self) }
  package var uploads: UploadTable { UploadTable(database: self) }
  var registrations: RegistrationTable { RegistrationTable(database: self) }
  var attempts: PasswordAttemptTable { PasswordAttemptTable(database: self) }

  /// The key with which servers sign; created by the first call, at most 1,024 bytes, empty where it is
  /// longer.
  func serverKey() throws(StoreError) -> [UInt8] {
    try post(
      "INSERT INTO server_key (id, bytes) VALUES (1, $1) ON CONFLICT DO NOTHING",
      .blob(ServerSignature.newKey()))
    let key = try first("SELECT bytes FROM server_key") { $0.bytes(0, atMost: 1_024) }
    return (key ?? nil) ?? []
  }

  /// The name that the market's operator set; nil where there is none.
  func marketName() throws(StoreError) -> String? {
    let name = try first("SELECT name FROM market_id WHERE id = 1") { $0.text(0, .marketName) }
    return name?.isEmpty == false ? name : nil
  }

  /// Sets the name of the market; nil removes it.
  func setMarketName(_ name: String?) throws(StoreError) {
    try post("UPDATE market_id SET name = $1 WHERE id = 1", .text(name))
  }

  /// Records the key of an imported product; false where it was recorded before.
  /// - Throws: the statement's `StoreError`.
  package func recordImport(_ key: [UInt8]) throws(StoreError) -> Bool {
    try count("INSERT INTO imported_row (key) VALUES ($1) ON CONFLICT DO NOTHING", [.blob(key)]) > 0
  }

  /// Logs that a product was added, changed or deleted, with its state.
  /// - Throws: what `log(_:)` throws.
  package func log(_ kind: ProductChange.Kind, _ detail: ProductDetail) throws(StoreError) {
    let change = ProductChange(
      id: detail.id, kind: kind, version: kind == .deleted ? nil : detail.version,
      seller: detail.product.seller.id)
    try log([.one(.product(change))])
  }

  /// Logs that a product was added or changed, with its new version.
  func log(
    _ kind: ProductChange.Kind, _ id: Product.ID, version: Int64, of seller: Seller.ID
  ) throws(StoreError) {
    let version = ProductVersion(rawValue: String(version))
    try log([.one(.product(ProductChange(id: id, kind: kind, version: version, seller: seller)))])
  }

  /// Logs that a seller was renamed, renumbered, blocked or unblocked.
  func log(renamed seller: Seller.ID) throws(StoreError) { try log([.one(.seller(seller))]) }
}
