import MarketModel
import SQLiteKit

/// Connection to the database of a market, which takes the SQL of PostgreSQL.
///
/// SQLite reads it with these differences: a clause that locks rows (` FOR UPDATE`) is left out, for
/// whoever writes has the file alone; `= ANY ($1)` is `= $1`, and the statement runs once for each
/// element of its first list, in the list's order. `unixepoch()`, which PostgreSQL reads as the time that
/// all servers share, and `INDEXED BY` are SQLite's.
///
/// Calls that belong together stand in one transaction, which the caller holds.
package protocol MarketDatabase: AnyObject {
  /// Goes through the rows of a statement until `read` answers that it has seen enough.
  func forEach(
    _ sql: SQL, _ values: [SQLValue], read: (StoredRow) throws(StoreError) -> Bool
  ) throws(StoreError)

  /// Runs statements, of which none needs what another answers, in their order and in one round trip.
  func run(_ queries: [Query]) throws(StoreError)

  /// Runs the last statements of a transaction, which may end along with them; one that writes is
  /// committed.
  func finish(with queries: [Query]) throws(StoreError)

  /// Sends a statement whose rows the caller does not need.
  ///
  /// Its failure may be thrown by a later call.
  func post(_ sql: SQL, _ values: [SQLValue]) throws(StoreError)

  /// Runs a statement, and returns how many rows it inserted, changed or deleted.
  func count(_ sql: SQL, _ values: [SQLValue]) throws(StoreError) -> Int

  /// Runs a statement that locks rows, where the database has locks of rows.
  func lock(_ sql: SQL, _ values: [SQLValue]) throws(StoreError)

  /// Bytes that the market has, without room that is free again.
  func storedBytes() throws(StoreError) -> Int64

  /// Makes new rows get numbers above one that was not the next.
  func skipNumbers(upTo number: Int64, in table: NumberedTable) throws(StoreError)

  // MARK: Log and counts

  /// Writes changes that the transaction makes to the log, in their order.
  func log(_ changes: [LoggedChange]) throws(StoreError)

  /// Counts that a product has come, was changed or is gone; nil is no product.
  ///
  /// A change that leaves the state counts too: pages know by it that they are old.
  func countProduct(_ id: Product.ID, from before: Int?, to after: Int?) throws(StoreError)

  // MARK: Search

  /// Makes a new product found by a text.
  func addToIndex(
    _ product: Product.ID, _ text: IndexText, of seller: Seller.ID
  ) throws(StoreError)

  /// The texts that a product is found by, which may be former ones.
  func productTexts(of detail: ProductDetail) throws(StoreError) -> ProductTexts

  /// Makes a product found by other texts; by none where `new` is nil.
  func changeIndex(
    of product: Product.ID, from old: ProductTexts, to new: ProductTexts?,
    _ tokenizer: SearchTokenizer
  ) throws(StoreError)

  /// Gives a seller another name, by which its newest products are found from now on; the others follow
  /// by `renewNames(_:)`.
  func rename(
    _ seller: Seller, to name: String, _ tokenizer: SearchTokenizer
  ) throws(StoreError)

  /// Makes some products found by the present name of their seller.
  func renewNames(_ tokenizer: SearchTokenizer) throws(StoreError) -> SellerRenameBackfill

  /// Indexes some of the newest products below a number by the folding of today that are not yet.
  func renewIndex(below: Int64, _ tokenizer: SearchTokenizer) throws(StoreError) -> IndexRenewal

  // MARK: Import

  /// The highest number that a row has ever had; 0 where there was none.
  func highestID(in table: NumberedTable) throws(StoreError) -> Int64

  /// What the tables have of products that are to come in, in their order.
  func matches(of products: [IncomingProduct]) throws(StoreError) -> [ImportMatch]

  /// Inserts what is new of a batch.
  func insert(
    _ rows: [ImportRow], pictures: [String: StoredPicture], _ tokenizer: SearchTokenizer,
    remembering cache: inout ImportCache
  ) throws(StoreError) -> WrittenBatch
}

/// Table whose rows get rising numbers, none of them twice.
package enum NumberedTable: String {
  case product, seller, question
}

/// Statement with its values, and what reads each of its rows.
package struct Query {
  package let sql: SQL
  package let values: [SQLValue]
  package let read: (StoredRow) throws(StoreError) -> Void

  package init(
    _ sql: SQL, _ values: [SQLValue],
    read: @escaping (StoredRow) throws(StoreError) -> Void = { _ in }
  ) {
    self.sql = sql
    self.values = values
    self.read = read
  }
}

/// Text that a product is found by, as the index of a database has it.
package struct IndexText: Hashable, Sendable {
  package let words: String
  /// Hashes of letters; none where the words alone are indexed.
  package let grams: [Int32]

  package init(words: String, grams: [Int32] = []) {
    self.words = words
    self.grams = grams
  }
}

/// Texts that a product is found by, as they are stored, uncut.
package struct ProductTexts: Hashable, Sendable {
  /// No request was ever longer.
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
  /// It is a part of each caller, for as a generic function it takes longer than small rows do.
  @inline(__always)
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
  package func integer(_ sql: SQL, _ values: SQLValue...) throws(StoreError) -> Int64? {
    try first(sql, values) { $0.integer(0) }
  }

  package func post(_ sql: SQL, _ values: SQLValue...) throws(StoreError) {
    try post(sql, values)
  }

  /// The share of products that are indexed by the folding of today where only those up to a number are
  /// not.
  package func indexedShare(without last: Int64) throws(StoreError) -> Double {
    1 - min(1, Double(last) / Double(max(1, try highestID(in: .product))))
  }

  // MARK: Tables

  package var products: ProductQueries { ProductQueries(database: self) }
  package var archive: ArchiveReader { ArchiveReader(database: self) }
  package var changes: ProductChanges { ProductChanges(database: self) }
  package var sellers: SellerTable { SellerTable(database: self) }
  package var pictures: PictureTable { PictureTable(database: self) }
  package var questions: QuestionTable { QuestionTable(database: self) }
  var registrations: Registrations { Registrations(database: self) }
  var attempts: PasswordAttemptTable { PasswordAttemptTable(database: self) }

  /// The key that servers sign by; the first one that asks makes it.
  func serverKey() throws(StoreError) -> [UInt8] {
    try post(
      "INSERT INTO server_key (id, bytes) VALUES (1, $1) ON CONFLICT DO NOTHING",
      .blob(ServerSignature.newKey()))
    let key = try first("SELECT bytes FROM server_key") { $0.bytes(0, atMost: 1_024) }
    return (key ?? nil) ?? []
  }

  /// The id that the market gave itself; nil before anything was written.
  func marketID() throws(StoreError) -> MarketID? {
    try first("SELECT text FROM market_id WHERE id = 1") { MarketID($0.text(0, atMost: 64)) }
      ?? nil
  }

  /// The name that the market's operator gave it; nil where it has none.
  func marketName() throws(StoreError) -> String? {
    let name = try first("SELECT name FROM market_id WHERE id = 1") { $0.text(0, .marketName) }
    return name?.isEmpty == false ? name : nil
  }

  /// Gives the market a name, or takes it away by nil.
  func setMarketName(_ name: String?) throws(StoreError) {
    try post("UPDATE market_id SET name = $1 WHERE id = 1", .text(name))
  }

  /// Notes that the key of something that came in is known; false where it was.
  package func noteArrival(_ key: [UInt8]) throws(StoreError) -> Bool {
    try count("INSERT INTO arrival (key) VALUES ($1) ON CONFLICT DO NOTHING", [.blob(key)]) > 0
  }

  /// Logs that a product has come, as it is now, has become this, or has gone.
  package func log(_ kind: ProductChange.Kind, _ detail: ProductDetail) throws(StoreError) {
    let change = ProductChange(
      id: detail.id, kind: kind, version: kind == .deleted ? nil : detail.version,
      seller: detail.product.seller.id)
    try log([.one(.product(change))])
  }

  /// Logs that a product has come or has changed, whose version is known.
  func log(
    _ kind: ProductChange.Kind, _ id: Product.ID, version: Int64, of seller: Seller.ID
  ) throws(StoreError) {
    let version = ProductVersion(rawValue: String(version))
    try log([.one(.product(ProductChange(id: id, kind: kind, version: version, seller: seller)))])
  }

  /// Logs that a seller has another name or number.
  func log(renamed seller: Seller.ID) throws(StoreError) { try log([.one(.seller(seller))]) }
}
