import MarketModel
import Synchronization

/// Import of products into a store.
final class StoreImport<Store: StoredMarket>: MarketImport {
  private let store: Store
  private let memory: Mutex<ImportMemory>

  /// `highest` is the highest id that a product of the store has ever had.
  init(into store: Store, after highest: Int64) {
    self.store = store
    memory = Mutex(ImportMemory(highestOwnID: highest))
  }

  func areThere(_ products: [IncomingProduct]) async throws(RepositoryError) -> [Bool] {
    try await store.read(.oneState) { tables throws(Store.Tables.Failure) in
      try tables.arrivals.areThere(products)
    }
  }

  func prepare(_ batch: ImportBatch) -> ImportStep {
    let tokenizer = store.tokenizer
    let rows = batch.products.map { incoming in
      let product = incoming.product
      return ImportRow(
        key: incoming.arrivalKey, product: product,
        text: Store.Tables.Arrivals.text(
          of: product, under: product.seller.name, tokenizer: tokenizer))
    }
    let pictures = batch.pictures
    return { [self] () async throws(RepositoryError) in try await write(rows, pictures) }
  }

  func finish() async throws(RepositoryError) {
    try await store.endBulk()
  }

  private func write(
    _ rows: [ImportRow<Store.Tables.Arrivals.Text>], _ pictures: [String: PreparedPicture]
  ) async throws(RepositoryError) -> ImportReceipt {
    let tokenizer = store.tokenizer
    let before = memory.withLock { $0 }
    let names = Array(pictures.keys)
    let files = try await store.keep(names.compactMap { pictures[$0] })
    let kept = Dictionary(uniqueKeysWithValues: zip(names, files))
    // What has arrived once does not arrive again, however often this is run.
    let (receipt, after) = try await store.write(isRepeatable: true) {
      tables throws(Store.Tables.Failure) in
      var memory = before
      let receipt = try tables.arrivals.take(
        rows, pictures: kept, tokenizer: tokenizer, remembering: &memory)
      return .success((receipt, memory))
    }
    // What a batch that failed has learnt may not be there.
    memory.withLock { $0 = after }
    return receipt
  }
}

/// A product that is ready to be inserted.
package struct ImportRow<Text: Sendable>: Sendable {
  package let key: [UInt8]
  package let product: ArchivedProduct
  /// Texts that it is found by, under its seller's name where it comes from.
  package let text: Text
}

/// Memory of what an import has found out about a store and need not ask again.
package struct ImportMemory: Sendable {
  /// Ids up to this one may have been those of products that were deleted.
  private let highestOwnID: Int64
  package var sellers = RecentValues<ArchivedSeller, Seller>()
  /// Keys of passwords by their hashes.
  package var passwords = RecentValues<String, Int64>()

  /// Takes the highest id that a product of the store has ever had.
  package init(highestOwnID highest: Int64) {
    highestOwnID = highest
  }

  /// The number that a product may keep: one that none of this store has had, and in no way out of
  /// proportion, or later products would find none.
  package func keptID(of product: ArchivedProduct) -> Int64? {
    guard let id = product.id?.rawValue, id > highestOwnID, StoredNumbers.keptIDs.contains(id)
    else {
      return nil
    }
    return id
  }
}

extension ArchivedSeller {
  /// The number that the seller may keep where nobody has it: below 0 for who cannot sign in.
  ///
  /// In no way out of proportion, as with products: numbers that follow have to find room.
  package var keptID: Int64? {
    guard let id = id?.rawValue else { return nil }
    let range = StoredNumbers.keptIDs
    let isSound =
      identifierHash == nil ? (-range.upperBound..<0).contains(id) : range.contains(id)
    return isSound ? id : nil
  }
}

extension IncomingProduct {
  /// 16 bytes, by which the product is known to have come.
  package var arrivalKey: [UInt8] { Array(ContentHash.of(identity).prefix(16)) }

  /// Whether it is nothing but a product of the market as that is now.
  package func isCopy(of own: ArchivedProduct) -> Bool {
    var product = product
    // The names of an archive have an ending.
    product.pictures = product.pictures.map {
      $0.split(separator: ".").first.map(String.init) ?? $0
    }
    return own == product
  }
}
