import MarketModel
import SQLiteKit
import StoreCore

/// Products of a store's file in one read transaction, which ends with this value.
struct StoreSnapshot: MarketSnapshot {
  private let connection: StoreConnection
  private let outside: ExternalPictures?

  /// Opens a connection and begins the transaction.
  /// - Throws: the `StoreError` of opening the file.
  init(path: String, outside: ExternalPictures?) async throws(StoreError) {
    self.outside = outside
    connection = StoreConnection(
      "snapshot", path: path,
      options: SQLiteConnection.Options(readsOnly: true, stopsWhenCancelled: true))
    // A transaction sees the state of its first read.
    _ = try await connection.use { connection throws(StoreError) in
      try connection.execute("BEGIN")
      return try connection.integer("SELECT count(*) FROM sqlite_schema")
    }
  }

  func productCount() async throws(RepositoryError) -> Int {
    try await read { connection throws(StoreError) in
      try connection.read(connection.total(of: Set<ProductFilter>().states))
    }
  }

  func products(
    after id: Product.ID?, atMost limit: Int
  ) async throws(RepositoryError) -> [ArchivedProduct] {
    try await read { connection throws(StoreError) in
      try connection.archive.products(after: id?.rawValue ?? Int64.min, atMost: limit)
    }
  }

  func file(ofPicture name: String) async throws(RepositoryError) -> [UInt8]? {
    guard let hash = Picture.hash(in: name, of: .original) else { return nil }
    let file = try await read { connection throws(StoreError) in
      try connection.pictures.file(of: hash, .original)
    }
    // A picture deleted since keeps its external files for a day.
    return try await file?.bytes(of: hash, .original, in: outside)
  }

  private func read<Answer: Sendable>(
    _ body: @escaping @Sendable (SQLiteDatabase) throws(StoreError) -> Answer
  ) async throws(RepositoryError) -> Answer {
    do {
      return try await connection.use(body)
    } catch {
      throw RepositoryError(error)
    }
  }
}
