import MarketModel
import Synchronization

/// Takes products into a store.
final class StoreImport<Store: StoredMarket>: MarketImport {
  private typealias Tables = Store.Tables

  private let store: Store
  private let memory: Mutex<ImportMemory>

  /// - Parameters:
  ///   - store: where the products go.
  ///   - highest: the highest id that a product of the store has ever had.
  init(into store: Store, after highest: Int64) {
    self.store = store
    memory = Mutex(ImportMemory(highestOwnID: highest))
  }

  func areThere(_ products: [IncomingProduct]) async throws(RepositoryError) -> [Bool] {
    try await store.reading { tables throws(Store.Tables.Failure) in
      try tables.areThere(products)
    }
  }

  func ready(_ portion: ImportPortion) -> ImportStep {
    let words = store.words
    let rows = portion.products.map { incoming in
      let product = incoming.product
      return ImportRow(
        key: incoming.arrivalKey, product: product,
        text: Tables.text(of: product, under: product.seller.name, words: words))
    }
    let pictures = portion.pictures
    return { [self] () async throws(RepositoryError) in try await write(rows, pictures) }
  }

  func finish() async throws(RepositoryError) {
    try await store.endBulk()
  }

  private func write(
    _ rows: [ImportRow<Store.Tables.Text>], _ pictures: [String: PreparedPicture]
  ) async throws(RepositoryError) -> ImportReceipt {
    let words = store.words
    let before = memory.withLock { $0 }
    // What has arrived once does not arrive again, however often this is run.
    let (receipt, after) = try await store.writing(isRepeatable: true) {
      tables throws(Store.Tables.Failure) in
      var memory = before
      let receipt = try tables.take(
        rows, pictures: pictures, words: words, remembering: &memory)
      return .success((receipt, memory))
    }
    // What a portion that failed has learnt may not be there.
    memory.withLock { $0 = after }
    return receipt
  }
}

extension StoredMarket {
  package func beginImport() async throws(RepositoryError) -> any MarketImport {
    try await beginBulk()
    let highest = try await reading { tables throws(Tables.Failure) in
      try tables.highestProductID()
    }
    return StoreImport(into: self, after: highest)
  }
}
