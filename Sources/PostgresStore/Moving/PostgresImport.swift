import MarketModel
import MarketStore
import Synchronization

/// Takes products into a database.
final class PostgresImport: MarketImport {
  private let store: PostgresStore
  private let memory: Mutex<ImportMemory>

  /// - Parameters:
  ///   - store: where the products go.
  ///   - highest: the highest id that a product of the store has ever had.
  init(into store: PostgresStore, after highest: Int64) {
    self.store = store
    memory = Mutex(ImportMemory(highestOwnID: highest))
  }

  func areThere(_ products: [IncomingProduct]) async throws(RepositoryError) -> [Bool] {
    try await store.read(store.connections) { connection throws(PostgresError) in
      try connection.areThere(products)
    }
  }

  func ready(_ portion: ImportPortion) -> ImportStep {
    let words = store.words
    let rows = portion.products.map { incoming in
      let product = incoming.product
      return ImportRow(
        key: incoming.arrivalKey, product: product,
        text: SearchableText(
          [product.name, product.description, product.seller.name], words: words))
    }
    let pictures = portion.pictures
    return { [self] () async throws(RepositoryError) in try await write(rows, pictures) }
  }

  func finish() async throws(RepositoryError) {
    try await store.endBulk()
  }

  private func write(
    _ rows: [ImportRow], _ pictures: [String: PreparedPicture]
  ) async throws(RepositoryError) -> ImportReceipt {
    let words = store.words
    let before = memory.withLock { $0 }
    // What has arrived once does not arrive again, however often this is run.
    let (receipt, after) = try await store.write(isRepeatable: true) {
      connection throws(PostgresError) in
      var memory = before
      let receipt = try connection.take(
        rows, pictures: pictures, words: words, remembering: &memory)
      return .success((receipt, memory))
    }
    // What a portion that failed has learnt may not be there.
    memory.withLock { $0 = after }
    return receipt
  }
}

/// A product that is ready to be inserted.
struct ImportRow: Sendable {
  let key: [UInt8]
  let product: ArchivedProduct
  /// What it is found by, under its seller's name where it comes from.
  let text: SearchableText
}
