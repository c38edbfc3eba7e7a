import DispatchBridge
import MarketModel
import SQLiteKit
import StoreCore

/// Products of a database in one read transaction, which ends with this value.
///
/// It has a connection of its own, since its reader may be as slow as a pipe.
actor PostgresSnapshot: MarketSnapshot {
  private let executor = QueueExecutor(label: "market.postgres.snapshot")
  private let address: String
  private let options: PostgresOptions
  private let outside: ExternalPictures?
  private var connection: PostgresConnection?

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  init(of address: String, _ options: PostgresOptions, outside: ExternalPictures?) {
    self.address = address
    self.outside = outside
    var patient = options
    patient.furtherSettings.append("idle_in_transaction_session_timeout = 0")
    self.options = patient
  }

  /// Opens the transaction.
  /// - Throws: the `RepositoryError` of connecting, such as `.store(.unavailable)`.
  func begin() throws(RepositoryError) {
    do {
      let opened = try PostgresConnection(to: address, options)
      try opened.begin(.beginReading)
      // A transaction sees the state of its first read.
      _ = try opened.run("SELECT version FROM market_schema")
      connection = opened
    } catch {
      throw RepositoryError(error)
    }
  }

  func productCount() throws(RepositoryError) -> Int {
    try read { connection throws(StoreError) in
      try connection.read(connection.total(of: Set<ProductFilter>().states))
    }
  }

  func products(
    after id: Product.ID?, atMost limit: Int
  ) throws(RepositoryError) -> [ArchivedProduct] {
    try read { connection throws(StoreError) in
      try connection.archive.products(after: id?.rawValue ?? Int64.min, atMost: limit)
    }
  }

  func file(ofPicture name: String) async throws(RepositoryError) -> [UInt8]? {
    try await file(ofPicture: name, .original)
  }

  private func file(
    ofPicture name: String, _ rendition: PictureRendition
  ) async throws(RepositoryError) -> [UInt8]? {
    guard let hash = Picture.hash(in: name, of: .original) else { return nil }
    let file = try read { connection throws(StoreError) in
      try connection.pictures.file(of: hash, rendition)
    }
    // A picture deleted since keeps its external files for a day.
    return try await file?.bytes(of: hash, rendition, in: outside)
  }

  /// Both files of a picture; nil where they are missing.
  fileprivate func picture(_ name: String) async throws(RepositoryError) -> PreparedPicture? {
    guard let original = try await file(ofPicture: name, .original),
      let thumbnail = try await file(ofPicture: name, .thumbnail)
    else { return nil }
    // A store keeps the bytes only.
    return PreparedPicture(
      bytes: original, format: PictureFormat(sniffing: original) ?? .jpeg,
      size: PixelSize(width: 0, height: 0), thumbnail: thumbnail)
  }

  private func read<Answer>(
    _ body: (PostgresConnection) throws(StoreError) -> Answer
  ) throws(RepositoryError) -> Answer {
    guard !Task.isCancelled else { throw .cancelled }
    guard let connection else { throw .unreachable(.disconnected) }
    do {
      return try body(connection)
    } catch {
      throw RepositoryError(error.ofDatabase)
    }
  }
}

/// Backup of a database into a market file: its products at one moment with their dependent rows, without
/// transient data such as password attempts.
struct DatabaseBackup {
  private static let batchSize = 1_000

  let snapshot: PostgresSnapshot
  let file: any MarketArchive

  /// Copies all products in batches; `show` receives the completed part, 0 to 1.
  /// - Throws: `.store` where the database or the file fails; `.cancelled`.
  func run(show: @Sendable (Double) -> Void) async throws(RepositoryError) {
    let total = try await snapshot.productCount()
    let target = try await file.beginImport()
    var last: Product.ID?
    var count = 0
    var copied = BoundedCache<String, Void>()
    while true {
      let products = try await snapshot.products(after: last, atMost: Self.batchSize)
      guard let final = products.last else { break }
      var batch = ImportBatch()
      for product in products {
        batch.products.append(
          IncomingProduct(
            identity: Array("\(product.id?.rawValue ?? 0)".utf8), product: product))
        for name in product.pictures where copied[name] == nil {
          if let picture = try await snapshot.picture(name) { batch.add(picture, named: name) }
          copied.remember((), for: name)
        }
        if batch.isFull {
          _ = try await target.prepare(batch)()
          batch = ImportBatch()
        }
      }
      _ = try await target.prepare(batch)()
      last = final.id
      count += products.count
      show(Double(count) / Double(max(1, total)))
    }
    try await target.finish()
  }
}
