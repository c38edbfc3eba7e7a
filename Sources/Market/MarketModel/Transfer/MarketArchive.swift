/// The port for backup, export and import of whole markets.
///
/// Every method of these protocols also throws `.store` where the store cannot be used, and
/// `.cancelled`.
package protocol MarketArchive: Sendable {
  /// Returns a consistent snapshot of the market, unaffected by later writes.
  ///
  /// - Throws: `.store` where the store cannot be used.
  func snapshot() async throws(RepositoryError) -> any MarketSnapshot

  /// Copies a consistent state of the market, with its pictures, into an empty file while the market
  /// is in use.
  ///
  /// `show` receives the progress, 0 to 1.
  ///
  /// - Throws: `.store` also where the file or the picture storage fails.
  func backup(
    to path: String, show: @escaping @Sendable (Double) -> Void
  ) async throws(RepositoryError)

  /// Returns the id that archives contain; nil where the market has none.
  ///
  /// - Throws: `.store` where the store cannot be used.
  func ownMarketID() async throws(RepositoryError) -> MarketID?

  /// Returns the currency of the newest product; nil where there is none.
  ///
  /// - Throws: `.store` where the store cannot be used.
  func newestCurrency() async throws(RepositoryError) -> Currency?

  /// Returns what an import would do with each product; changes nothing.
  ///
  /// - Throws: `.store` where the store cannot be used.
  func standings(of products: [IncomingProduct]) async throws(RepositoryError) -> [ImportDecision]

  /// Begins an import.
  ///
  /// - Throws: `.store` where the store cannot be used.
  func beginImport() async throws(RepositoryError) -> any MarketImport

  /// Paths of the market's own files, whether they exist or not; a backup must not overwrite them.
  var ownFiles: [String] { get }

  /// Closes the market; later calls throw `.cancelled`.
  ///
  /// A market file that no other program uses is then a single file.
  func close() async
}

extension MarketArchive {
  /// Empty: the market is no file.
  package var ownFiles: [String] { [] }

  package func close() async {}
}

/// Consistent snapshot of all products of a market.
package protocol MarketSnapshot: Sendable {
  /// Returns the number of products.
  ///
  /// - Throws: `.store` where the store cannot be used.
  func productCount() async throws(RepositoryError) -> Int

  /// Returns the products after `id`, the oldest first, from the first for nil; empty at the end.
  ///
  /// - Throws: `.store` where the store cannot be used.
  func products(
    after id: Product.ID?, atMost limit: Int
  ) async throws(RepositoryError) -> [ArchivedProduct]

  /// Returns a picture file by the name in a product of the snapshot; nil where it is missing.
  ///
  /// - Throws: `.store`, also where the picture storage fails.
  func file(ofPicture name: String) async throws(RepositoryError) -> [UInt8]?
}

/// Import of products in batches, each written in one transaction.
package protocol MarketImport: Sendable {
  /// Whether the market never had a product before, so that it can know none of the file.
  var startsEmpty: Bool { get }

  /// Returns the step that writes a batch, after the preparation that can run while another batch is
  /// written; products that exist already are skipped.
  func prepare(_ batch: ImportBatch) -> ImportStep

  /// Ends the import and rebuilds what bulk writing has postponed.
  ///
  /// - Throws: `.store` where the store cannot be used.
  func finish() async throws(RepositoryError)
}

/// Writing of one prepared batch.
///
/// - Throws: `.store`, and then nothing of the batch is written; `.cancelled`.
package typealias ImportStep = @Sendable () async throws(RepositoryError) -> WrittenBatch

/// Products that are imported in one transaction.
package struct ImportBatch: Sendable {
  package var products: [IncomingProduct] = []
  /// Prepared files that the products name and no earlier batch contained, by name.
  package private(set) var pictures: [String: PreparedPicture] = [:]
  private var pictureBytes = 0

  package init() {}

  /// Whether the pictures have reached the limit for a batch, 32 MB in memory.
  package var isFull: Bool { pictureBytes >= 32 << 20 }

  package mutating func add(_ picture: PreparedPicture, named name: String) {
    pictures[name] = picture
    pictureBytes += picture.bytes.count + picture.thumbnail.count
  }
}

/// Product to import.
package struct IncomingProduct: Hashable, Sendable {
  package var identity: ImportIdentity
  package var product: ArchivedProduct
  /// Values that the row names, in which a product of the market itself changes; nil for a new
  /// product.
  package var changes: FieldValues?
  /// Currency in which the row has its amounts, where it does not change that of the market's own
  /// product; nil where it names none.
  package var amountCurrency: Currency?
  /// Whether no earlier row of the file had the same number.
  package var isFirstOfNumber = true

  package init(identity: ImportIdentity, product: ArchivedProduct) {
    self.identity = identity
    self.product = product
  }

  /// Creates a row identified by its line's bytes, which no earlier row of the file has.
  package init(identity bytes: [UInt8], product: ArchivedProduct) {
    self.init(identity: ImportIdentity(bytes), product: product)
  }
}

/// Identity of a row in repeated imports: its content, and the number of equal rows before it.
package struct ImportIdentity: Hashable, Sendable {
  package var bytes: [UInt8]
  package var earlier: Int

  package init(_ bytes: [UInt8], earlier: Int = 0) {
    self.bytes = bytes
    self.earlier = earlier
  }
}

/// Decision on an incoming product.
package enum ImportDecision: Hashable, Sendable {
  case new
  /// An earlier import added the product, or it equals a product of the market.
  case known
  /// The row changes a product of the market; the names are those of picture files that the product
  /// does not have yet.
  case changing(newPictures: [String])
  case refused(ImportRefusal)
}

/// Reason why a row does not change its product.
package enum ImportRefusal: Error, Hashable, Sendable {
  /// The product's version differs from the row's; `present` is the market's.
  case otherVersion(present: Int64)
  /// The market has no product of this number any more.
  case gone
  /// An earlier row names the same product.
  case repeated
  case invalid(FieldError)
  /// The text of this field is that of the market with “?” for some characters.
  case lossy(ProductField)
}

/// Result of a written batch.
package struct WrittenBatch: Sendable {
  /// Number of new products.
  package var added: Int
  /// Number of changed products.
  package var changed = 0
  /// Refused products by their index in the batch.
  package var refused: [Int: ImportRefusal] = [:]
  /// Names under which the market stores the batch's pictures, by their names in the batch; later
  /// batches may use them.
  package var pictureNames: [String: String]

  package init(added: Int, pictureNames: [String: String]) {
    self.added = added
    self.pictureNames = pictureNames
  }
}

/// Set of numbers that stores neighbors compactly.
package struct NumberSet: Sendable {
  /// 64 numbers each, by `number >> 6`.
  private var blocks: [Int64: UInt64] = [:]

  package init() {}

  /// Adds a number; false where the set contains it.
  package mutating func insert(_ number: Int64) -> Bool {
    let bit = UInt64(1) << UInt64(number & 63)
    let block = blocks[number >> 6, default: 0]
    guard block & bit == 0 else { return false }
    blocks[number >> 6] = block | bit
    return true
  }
}

/// Cache of recent values with a fixed maximum, for long runs; callers compute dropped values again.
package struct BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let halfSize: Int
  private var newer: [Key: Value] = [:]
  /// Values before the last exchange of the halves; dropped at the next one.
  private var older: [Key: Value] = [:]

  /// Creates a cache of at most `limit` values, which keeps at least the latest half of them.
  package init(atMost limit: Int = 20_000) {
    halfSize = max(1, limit / 2)
  }

  package var count: Int { newer.count + older.count }

  package subscript(key: Key) -> Value? { newer[key] ?? older[key] }

  package mutating func remember(_ value: Value, for key: Key) {
    if newer.count >= halfSize, newer[key] == nil { (older, newer) = (newer, [:]) }
    newer[key] = value
  }
}
