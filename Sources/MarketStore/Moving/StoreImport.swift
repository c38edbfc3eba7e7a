import MarketModel
import SQLiteKit
import Synchronization

/// Takes products into a store.
final class StoreImport: MarketImport {
  private let store: SQLiteStore
  private let memory: Mutex<ImportMemory>

  /// - Parameters:
  ///   - store: where the products go.
  ///   - highest: the highest id that a product of the store has ever had.
  init(into store: SQLiteStore, after highest: Int64) {
    self.store = store
    memory = Mutex(ImportMemory(highestOwnID: highest))
  }

  func areThere(_ products: [IncomingProduct]) async throws(RepositoryError) -> [Bool] {
    try await store.read(store.files) { connection throws(DatabaseError) in
      var answers: [Bool] = []
      answers.reserveCapacity(products.count)
      for incoming in products { answers.append(try connection.has(incoming)) }
      return answers
    }
  }

  func ready(_ portion: ImportPortion) -> ImportStep {
    let grams = store.grams
    let rows = portion.products.map { incoming in
      let product = incoming.product
      return ImportRow(
        key: incoming.arrivalKey, product: product,
        tokens: grams.textTokens(
          name: product.name, description: product.description, sellerName: product.seller.name))
    }
    let pictures = portion.pictures
    return { [self] () async throws(RepositoryError) in try await write(rows, pictures) }
  }

  func finish() async throws(RepositoryError) {
    try await store.write { connection throws(DatabaseError) in try connection.endBulk() }
  }

  private func write(
    _ rows: [ImportRow], _ pictures: [String: PreparedPicture]
  ) async throws(RepositoryError) -> ImportReceipt {
    let grams = store.grams
    let before = memory.withLock { $0 }
    let (receipt, after) = try await store.write { connection throws(DatabaseError) in
      var memory = before
      let receipt = try connection.writing { () throws(DatabaseError) in
        try connection.take(rows, pictures: pictures, grams: grams, remembering: &memory)
      }
      return (receipt, memory)
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
  /// What it is found by, without the token of its seller.
  let tokens: String
}
