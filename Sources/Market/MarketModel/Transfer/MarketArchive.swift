/// The port through which whole markets move: out of a store and into one.
package protocol MarketArchive: Sendable {
  /// The market as it is at this moment, whatever is written meanwhile.
  func snapshot() async throws(RepositoryError) -> any MarketSnapshot

  /// Copies the market as it is at this moment into an empty file, while it is in use.
  ///
  /// `show` is told how much of it is done, 0 to 1.
  func backup(
    to path: String, show: @escaping @Sendable (Double) -> Void
  ) async throws(RepositoryError)

  /// The id by which files name this market; nil where it has none.
  func ownMarketID() async throws(RepositoryError) -> MarketID?

  /// How products stand that are to come in; nothing is changed.
  func standings(of products: [IncomingProduct]) async throws(RepositoryError) -> [ImportDecision]

  /// Begins to take products in.
  func beginImport() async throws(RepositoryError) -> any MarketImport

  /// Paths of the files that hold the market, which no copy of it may be written onto; whether they
  /// are there or not.
  var ownFiles: [String] { get }

  /// Lets go of the market; whatever is asked of it from now on is cancelled.
  ///
  /// Where nobody else uses it, a market in a file is one file then.
  func close() async
}

extension MarketArchive {
  /// A market that is no file has none, and leaves nothing behind.
  package var ownFiles: [String] { [] }

  package func close() async {}
}

/// All products of a market at one moment.
package protocol MarketSnapshot: Sendable {
  func productCount() async throws(RepositoryError) -> Int

  /// The next products behind the last one that was read, the oldest first; none at the end.
  func products(
    after id: Product.ID?, atMost limit: Int
  ) async throws(RepositoryError) -> [ArchivedProduct]

  /// A picture file by the name that a product of the snapshot gives; nil where it is missing.
  func file(ofPicture name: String) async throws(RepositoryError) -> [UInt8]?
}

/// A run that takes products in, batch by batch; each batch is kept as a whole or not at all.
package protocol MarketImport: Sendable {
  /// Does what a batch needs before it is written, so that it can be done while another batch is
  /// being written; products that are there already are passed over.
  func prepare(_ batch: ImportBatch) -> ImportStep

  /// Puts in order what bulk writing has left.
  func finish() async throws(RepositoryError)
}

/// The writing of one batch.
package typealias ImportStep = @Sendable () async throws(RepositoryError) -> WrittenBatch

/// Products that come into a market in one step.
package struct ImportBatch: Sendable {
  package var products: [IncomingProduct] = []
  /// Files that the products name and no earlier batch has brought, fit to be kept.
  package private(set) var pictures: [String: PreparedPicture] = [:]
  private var pictureBytes = 0

  package init() {}

  /// Whether its pictures are as many as should be in memory at a time: 32 MB.
  package var isFull: Bool { pictureBytes >= 32 << 20 }

  package mutating func add(_ picture: PreparedPicture, named name: String) {
    pictures[name] = picture
    pictureBytes += picture.bytes.count + picture.thumbnail.count
  }
}

/// A product that is to come into a market.
package struct IncomingProduct: Hashable, Sendable {
  package var identity: ImportIdentity
  package var product: ArchivedProduct
  /// The fields that are named; set where the product is one of the market's own, which keeps what
  /// it is not named.
  package var changes: FieldValues?
  /// Whether no row before it in the file had the same number.
  package var isFirstOfNumber = true

  package init(identity: ImportIdentity, product: ArchivedProduct) {
    self.identity = identity
    self.product = product
  }

  /// A product that was read from bytes that come once.
  package init(identity bytes: [UInt8], product: ArchivedProduct) {
    self.init(identity: ImportIdentity(bytes), product: product)
  }
}

/// Identity of a row of a file, by which it is known when it comes again: what it says, and how many
/// rows before it in the file say the same.
package struct ImportIdentity: Hashable, Sendable {
  package var bytes: [UInt8]
  package var earlier: Int
  /// Identities that earlier versions gave the row, by the bytes of its line.
  package var former: [ImportIdentity]

  package init(_ bytes: [UInt8], earlier: Int = 0, former: [ImportIdentity] = []) {
    self.bytes = bytes
    self.earlier = earlier
    self.former = former
  }
}

/// Standing of an incoming product at a market.
package enum ImportDecision: Hashable, Sendable {
  case new
  /// An earlier run brought it, or it is one of the market's own as that is now.
  case known
  /// It changes one of the market's own; these are the files of its pictures that the product does
  /// not have yet.
  case changing(newPictures: [String])
  case refused(ImportRefusal)
}

/// Reason why one of a market's own products is not changed by a row.
package enum ImportRefusal: Error, Hashable, Sendable {
  /// The product has another version than the row by now.
  case otherVersion(present: Int64)
  /// The market has no product of this number any more.
  case gone
  /// A row before it names the same product.
  case repeated
  case invalid(FieldError)
}

/// Receipt for a batch that was written.
package struct WrittenBatch: Sendable {
  /// Number of its products that were new.
  package var added: Int
  /// Number of the market's own products that were changed.
  package var changed = 0
  /// The products of the batch that the market refused, by their places in it.
  package var refused: [Int: ImportRefusal] = [:]
  /// By which names the market keeps the pictures of the batch; later batches may use them.
  package var pictureNames: [String: String]

  package init(added: Int, pictureNames: [String: String]) {
    self.added = added
    self.pictureNames = pictureNames
  }
}

/// Set of numbers in which neighbours take little room.
package struct NumberSet: Sendable {
  /// Bits of 64 numbers each, by the number of their block.
  private var blocks: [Int64: UInt64] = [:]

  package init() {}

  /// Adds a number; false where it was there.
  package mutating func insert(_ number: Int64) -> Bool {
    let bit = UInt64(1) << UInt64(number & 63)
    let block = blocks[number >> 6, default: 0]
    guard block & bit == 0 else { return false }
    blocks[number >> 6] = block | bit
    return true
  }
}

/// Memory of the values that a long run met last; it does not grow with what the run moves.
///
/// Whoever asks for what was forgotten finds it out again.
package struct BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let halfSize: Int
  private var newer: [Key: Value] = [:]
  /// The newer values of before, until `newer` is full again.
  private var older: [Key: Value] = [:]

  /// Remembers so many values at most, and at least half as many.
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
