import MarketModel
import SQLiteKit
import StoreCore

/// Copy of a market's file that contains all its pictures.
struct CompleteBackup {
  /// Pictures that are read in one statement.
  private static let batchSize = 64

  private let path: String

  init(at path: String) {
    self.path = path
  }

  /// Inserts the files of external pictures into the copy; the market itself keeps them external.
  ///
  /// - Throws: `.store(.picturesUnavailable)` where there are some and no storage is configured, or the
  ///   storage fails.
  func complete(from outside: ExternalPictures?) async throws(RepositoryError) {
    let copy = StoreConnection("copy", path: path, options: SQLiteConnection.Options())
    do throws(RepositoryError) {
      try await takePictures(into: copy, from: outside)
      await copy.close()
    } catch {
      await copy.close()
      throw error
    }
  }

  private func takePictures(
    into copy: StoreConnection, from outside: ExternalPictures?
  ) async throws(RepositoryError) {
    while true {
      let keys = try await use(copy) { pictures throws(StoreError) in
        try pictures.pictures(after: 0, areOutside: true, atMost: Self.batchSize)
      }
      guard !keys.isEmpty else { return }
      for key in keys {
        let file = try await use(copy) { pictures throws(StoreError) in
          try pictures.file(of: key.hash, .original)
        }
        let original = try await file?.bytes(of: key.hash, .original, in: outside) ?? []
        let thumbnail = try await file?.bytes(of: key.hash, .thumbnail, in: outside) ?? []
        try await use(copy) { pictures throws(StoreError) in
          _ = try pictures.moveIn(key.hash, original: original, thumbnail: thumbnail)
          // The external files belong to the market, not to the copy.
          try pictures.forgetLeases()
        }
      }
    }
  }

  private func use<Answer: Sendable>(
    _ copy: StoreConnection,
    _ body: @escaping @Sendable (PictureTable) throws(StoreError) -> Answer
  ) async throws(RepositoryError) -> Answer {
    do {
      return try await copy.use { connection throws(StoreError) in
        try connection.writing(keeping: { _ in true }) { () throws(StoreError) in
          try body(connection.pictures)
        }
      }
    } catch {
      throw RepositoryError(error)
    }
  }
}
