import DispatchBridge
import MarketModel

/// Products of a store in one read transaction, which ends with this value.
///
/// It has a connection of its own, since its reader may be as slow as a pipe.
package actor StoreSnapshot: MarketSnapshot {
  private let executor: QueueExecutor
  private let outside: ExternalPictures?
  private let begin: @Sendable () throws(StoreError) -> any MarketDatabase
  private var database: (any MarketDatabase)?

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Takes a transaction that `begin` begins with a read, since it sees the state of its first one.
  /// - Throws: the `RepositoryError` of `begin`.
  package init(
    outside: ExternalPictures?,
    _ begin: @escaping @Sendable () throws(StoreError) -> any MarketDatabase
  ) async throws(RepositoryError) {
    executor = QueueExecutor(label: "market.store.snapshot")
    self.outside = outside
    self.begin = begin
    _ = try read { _ in true }
  }

  package func productCount() throws(RepositoryError) -> Int {
    try read { database throws(StoreError) in
      try database.read(database.total(of: Set<ProductFilter>().states))
    }
  }

  package func products(
    after id: Product.ID?, atMost limit: Int
  ) throws(RepositoryError) -> [ArchivedProduct] {
    try read { database throws(StoreError) in
      try database.archive.products(after: id?.rawValue ?? Int64.min, atMost: limit)
    }
  }

  package func file(ofPicture name: String) async throws(RepositoryError) -> [UInt8]? {
    try await file(ofPicture: name, .original)
  }

  private func file(
    ofPicture name: String, _ rendition: PictureRendition
  ) async throws(RepositoryError) -> [UInt8]? {
    guard let hash = Picture.hash(in: name, of: .original) else { return nil }
    let file = try read { database throws(StoreError) in
      try database.pictures.file(of: hash, rendition)
    }
    // A picture deleted since keeps its external files for a day.
    return try await file?.bytes(of: hash, rendition, in: outside)
  }

  /// Both files of a picture; nil where they are missing.
  /// - Throws: `.store` or `.cancelled`.
  package func picture(_ name: String) async throws(RepositoryError) -> PreparedPicture? {
    guard let original = try await file(ofPicture: name, .original),
      let thumbnail = try await file(ofPicture: name, .thumbnail)
    else { return nil }
    // A store keeps the bytes only.
    return PreparedPicture(
      bytes: original, format: PictureFormat(sniffing: original) ?? .jpeg,
      size: PixelSize(width: 0, height: 0), thumbnail: thumbnail)
  }

  private func read<Answer>(
    _ body: (any MarketDatabase) throws(StoreError) -> Answer
  ) throws(RepositoryError) -> Answer {
    guard !Task.isCancelled else { throw .cancelled }
    do throws(StoreError) {
      let open = if let database { database } else { try begin() }
      database = open
      return try body(open)
    } catch {
      throw RepositoryError(database?.dialect == .postgres ? error.ofDatabase : error)
    }
  }
}
